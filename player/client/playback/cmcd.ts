import type { PlayerData } from '../../player-data.ts'
import type { RequestContext, ShakaNamespace, ShakaPlayer } from './shaka.ts'

/** A token of CTA-5004, which has no quotes. */
interface Token {
  token: string
}

/** A value of CTA-5004. True is written as its key alone; what is false or unknown is left out. */
type Value = string | number | boolean | Token | null

const STEP = 100
const KILO = 1000

/**
 * Adds common media client data (CTA-5004, version 1, as a query) to the requests for segments of the CDN, and to nothing else.
 * `sid` is made here and is kept nowhere: nothing leads from it to a viewer.
 */
export function sendCmcd(
  player: ShakaPlayer,
  { net }: ShakaNamespace,
  { cmcdBase: base, videoId }: PlayerData,
): void {
  if (base === null) return
  const of = { cid: videoId, sf: { token: 'd' }, sid: crypto.randomUUID() }
  const hasStarved = watchBuffer(player)
  // Not the option of Shaka Player, which adds it to manifests and licences too.
  player.getNetworkingEngine()?.registerRequestFilter((type, request, context) => {
    if (type !== net.NetworkingEngine.RequestType.SEGMENT) return
    if (!request.uris.every((uri) => uri.startsWith(`${base}/`))) return
    const isMedia = context?.type === net.NetworkingEngine.AdvancedRequestType.MEDIA_SEGMENT
    const { estimatedBandwidth } = player.getStats()
    const data = encodeCmcd({
      ...of,
      ...(isMedia ? mediaData(player, context) : { ot: { token: 'i' } }),
      bs: hasStarved(),
      mtp: estimatedBandwidth > 0 ? inHundreds(estimatedBandwidth / KILO) : null,
      st: { token: player.isLive() ? 'l' : 'v' },
      su: player.isBuffering(),
    })
    request.uris = request.uris.map((uri) => `${uri}?CMCD=${encodeURIComponent(data)}`)
  })
}

/** Returns a function that says whether the buffer has run empty since it was asked last, after it had been filled. */
function watchBuffer(player: ShakaPlayer): () => boolean {
  let wasFilled = false
  let isStarved = false
  player.addEventListener('buffering', (event) => {
    const { buffering } = event as Event & { buffering?: boolean }
    if (buffering !== true) wasFilled = true
    else if (wasFilled) isStarved = true
  })
  return () => {
    const hasStarved = isStarved
    isStarved = false
    return hasStarved
  }
}

/** What is sent with the request for a part of the picture or the audio. */
function mediaData(
  player: ShakaPlayer,
  { stream, segment }: RequestContext,
): Record<string, Value> {
  if (!stream || !segment) return {}
  const isVideo = stream.type === 'video'
  const rates = player
    .getVariantTracks()
    .map(({ videoBandwidth, audioBandwidth }) => (isVideo ? videoBandwidth : audioBandwidth) ?? 0)
  return {
    bl: inHundreds(bufferedMs(player, isVideo ? 'video' : 'audio')),
    br: kilobits(stream.bandwidth ?? 0),
    d: Math.round((segment.getEndTime() - segment.getStartTime()) * KILO),
    ot: { token: isVideo ? 'v' : 'a' },
    tb: kilobits(Math.max(0, ...rates)),
  }
}

/** How much of a kind is loaded behind the playhead, in milliseconds. */
function bufferedMs(player: ShakaPlayer, kind: 'video' | 'audio'): number {
  const at = player.getMediaElement()?.currentTime ?? 0
  const range = player.getBufferedInfo()[kind].find(({ start, end }) => start <= at && at <= end)
  return range ? (range.end - at) * KILO : 0
}

const inHundreds = (value: number): number => Math.round(value / STEP) * STEP
const kilobits = (bits: number): number | null => (bits > 0 ? Math.round(bits / KILO) : null)

/** Writes the values in the order of their keys. */
function encodeCmcd(data: Record<string, Value>): string {
  const parts = Object.entries(data).flatMap(([key, value]) => {
    if (value === null || value === false) return []
    if (value === true) return [key]
    if (typeof value === 'object') return [`${key}=${value.token}`]
    return [`${key}=${JSON.stringify(value)}`]
  })
  return parts.sort().join(',')
}
