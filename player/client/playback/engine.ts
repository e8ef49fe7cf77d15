import type { PlayerData } from '../../player-data.ts'
import { fitQuality } from './fit-quality.ts'
import type { Memory } from '../memory.ts'
import type { Session } from './session.ts'
import { loadShaka } from './shaka.ts'
import type { ShakaPlayer } from './shaka.ts'

const DASH = 'application/dash+xml'
/** Seconds ahead: the film's start while nobody has pressed play, and while it plays. */
const BUFFER_BEFORE_PLAY = 4
const BUFFER_PLAYING = 30
const BANDWIDTH = 'bandwidth'

/** Shaka Player on the page's video, with our manifest and licences. */
export interface Engine {
  player: ShakaPlayer
  /** Loads the film, at the given second. */
  load(startSeconds: number | null): Promise<void>
  /** Takes in what the manifest has gained, at the position and in the state that the viewer is in. */
  reload(): Promise<void>
}

/** The manifest is on its way while Shaka's own code still loads. */
export const fetchManifest = (data: PlayerData, session: Session): Promise<Blob | null> =>
  session.fetch(data.manifestUrl).then(
    (response) => response.blob(),
    () => null,
  )

/** Loads Shaka Player and attaches it. Throws a ShakaError where the browser cannot play. */
export async function startEngine(
  video: HTMLVideoElement,
  { data, session, memory }: { data: PlayerData; session: Session; memory: Memory },
  early: Promise<Blob | null>,
): Promise<Engine> {
  const shaka = await loadShaka(data.shakaUrl)
  if (!shaka.Player.isBrowserSupported()) throw { category: 6 }
  const player = new shaka.Player()
  const { MANIFEST, LICENSE } = shaka.net.NetworkingEngine.RequestType
  player.getNetworkingEngine()?.registerRequestFilter((type, request) => {
    // Segments may come from a CDN, which has no business with the session.
    const isOurs = request.uris.every((uri) => !uri.startsWith('blob:'))
    if (isOurs && (type === MANIFEST || type === LICENSE))
      Object.assign(request.headers, session.headers())
  })
  player.configure(configuration(data, memory))
  fitQuality(player, video)
  await player.attach(video)
  video.addEventListener(
    'play',
    () => player.configure({ streaming: { bufferingGoal: BUFFER_PLAYING } }),
    { once: true },
  )
  let first: Promise<Blob | null> | null = early
  return {
    player,
    async load(startSeconds) {
      const manifest = await first
      first = null
      const url = manifest ? URL.createObjectURL(manifest) : data.manifestUrl
      await player.load(url, startSeconds, DASH).finally(() => URL.revokeObjectURL(url))
    },
    reload: () => reload(player, video, data.manifestUrl),
  }
}

const configuration = (data: PlayerData, memory: Memory) => ({
  drm: {
    servers:
      data.licenceUrl === null
        ? {}
        : { 'org.w3.clearkey': new URL(data.licenceUrl, location.href).href },
  },
  streaming: {
    bufferingGoal: BUFFER_BEFORE_PLAY,
    rebufferingGoal: 1,
    bufferBehind: 30,
    // A connection that is away for a while is waited for.
    retryParameters: { maxAttempts: 8, baseDelay: 500, backoffFactor: 1.7, timeout: 30_000 },
  },
  abr: rememberedBandwidth(memory),
})

function rememberedBandwidth(memory: Memory): { defaultBandwidthEstimate?: number } {
  const estimate = Number(memory.read(BANDWIDTH))
  return estimate > 0 ? { defaultBandwidthEstimate: estimate } : {}
}

/** Remembers how fast the connection is, so that the next film starts in the right quality. */
export function rememberBandwidth(player: ShakaPlayer, memory: Memory): void {
  const { estimatedBandwidth } = player.getStats()
  if (estimatedBandwidth > 0) memory.write(BANDWIDTH, String(Math.round(estimatedBandwidth)))
}

/** The new manifest and its first segments are fetched before the old ones are let go. */
async function reload(player: ShakaPlayer, video: HTMLVideoElement, url: string): Promise<void> {
  const preload = await player.preload(url, video.currentTime, DASH)
  await preload?.waitForFinish()
  const { paused, currentTime, playbackRate } = video
  await player.load(preload ?? url, currentTime, DASH)
  video.playbackRate = playbackRate
  if (!paused) await video.play()
}
