import type { PlayerData } from '../../player-data.ts'
import type { Memory } from '../memory.ts'
import type { Problems } from '../problems.ts'
import { followRate, type ChosenRate } from './chosen-rate.ts'
import { sendCmcd } from './cmcd.ts'
import { DATA_SAVER, saverLimits } from './data-saver.ts'
import type { DrmSupport } from './drm-support.ts'
import { fitQuality } from './fit-quality.ts'
import { holdForLicence } from './late-licence.ts'
import { retryClearKey } from './retry-clear-key.ts'
import { keepingPlace } from './seek.ts'
import type { Session } from './session.ts'
import { loadShaka, type ShakaError, type ShakaPlayer } from './shaka.ts'

const DASH = 'application/dash+xml'
const HLS = 'application/vnd.apple.mpegurl'
/** Seconds to buffer ahead, before the first play and after it. */
const BUFFER_BEFORE_PLAY = 4
const BUFFER_PLAYING = 30
const BANDWIDTH = 'bandwidth'
/** A playhead that waits for another load moves by less. */
const SAME_PLACE_SECONDS = 1

/** Shaka Player, attached to the page's video element. */
export interface Engine {
  player: ShakaPlayer
  /** Null for a ClearKey video. */
  drm: DrmSupport | null
  /** Loads the video at a position in seconds; from `address`, if its manifest is another one. */
  load(startSeconds: number | null, address?: string): Promise<void>
  /**
   * Loads the manifest again for new renditions, or another one; keeps rate and play state, and the position
   * unless another one is given. Resolves to false without a load if the video has ended, because it would lose its
   * end, or if the viewer has left the given position.
   */
  reload(address?: string, seconds?: number): Promise<boolean>
}

/**
 * Fetches the manifest while Shaka Player's code still loads. Resolves to null on an error, and if Safari may play
 * the HLS playlists instead.
 */
export async function fetchManifest(data: PlayerData, session: Session): Promise<Blob | null> {
  if (data.drm?.fairplayHlsUrl && navigator.vendor.startsWith('Apple')) return null
  return session.fetch(data.manifestUrl).then(
    (response) => response.blob(),
    () => null,
  )
}

interface EngineContext {
  data: PlayerData
  session: Session
  memory: Memory
  problems: Problems
}

/**
 * Loads Shaka Player and attaches it. Throws an error in Shaka's format if the browser is unsupported.
 * The first load uses `early`, the manifest that was fetched in advance. `loadingDrm` is null for a ClearKey video.
 */
export async function startEngine(
  video: HTMLVideoElement,
  { data, session, memory, problems }: EngineContext,
  early: Promise<Blob | null>,
  loadingDrm: Promise<DrmSupport | null>,
): Promise<Engine> {
  const [shaka, drm] = await Promise.all([loadShaka(data.shakaUrl), loadingDrm])
  if (!shaka.Player.isBrowserSupported()) throw { category: 6 }
  const player = new shaka.Player()
  const { MANIFEST, LICENSE } = shaka.net.NetworkingEngine.RequestType
  player.getNetworkingEngine()?.registerRequestFilter((type, request) => {
    // Not for segments: they may come from a CDN, which must not receive the session token.
    const isHttp = request.uris.every((uri) => !uri.startsWith('blob:'))
    if (isHttp && (type === MANIFEST || type === LICENSE))
      Object.assign(request.headers, session.headers())
  })
  sendCmcd(player, shaka, data)
  const beforeLoad = holdForLicence(player, shaka, data)
  const onFailure = retryClearKey(player, problems)
  player.configure(configuration(memory, drm ?? clearKey(data, onFailure)))
  drm?.connect(player)
  fitQuality(player, video)
  await player.attach(video)
  video.addEventListener(
    'play',
    () => player.configure({ streaming: { bufferingGoal: BUFFER_PLAYING } }),
    { once: true },
  )
  const hlsUrl = drm?.hlsUrl ?? null
  const rate = followRate(video, () => undefined)
  const loading =
    hlsUrl === null
      ? dashPlayback({ player, video, rate, beforeLoad }, data.manifestUrl, early)
      : nativePlayback({ player, video, rate, beforeLoad }, hlsUrl)
  return { player, drm, ...loading }
}

/** What a load changes. */
interface Loader {
  player: ShakaPlayer
  video: HTMLVideoElement
  rate: ChosenRate
  beforeLoad: () => void
}

/** How Shaka Player plays the DASH manifest. The first load uses `early`. */
function dashPlayback(
  loader: Loader,
  manifestUrl: string,
  early: Promise<Blob | null>,
): Pick<Engine, 'load' | 'reload'> {
  let first: Promise<Blob | null> | null = early
  return {
    async load(startSeconds, address = manifestUrl) {
      const manifest = await first
      first = null
      loader.beforeLoad()
      const url = manifest ? URL.createObjectURL(manifest) : address
      await keepingPlace(loader.video, null, () =>
        loader.player.load(url, startSeconds, DASH).finally(() => URL.revokeObjectURL(url)),
      )
    },
    reload: (address = manifestUrl, seconds) => reload(loader, address, seconds),
  }
}

/**
 * How the browser's own player plays the playlists: Shaka Player's build has no reader for HLS, and hands it the
 * address.
 */
function nativePlayback(loader: Loader, url: string): Pick<Engine, 'load' | 'reload'> {
  const { player, video } = loader
  return {
    async load(startSeconds) {
      await requireReachable(url)
      await player.load(url, startSeconds, HLS)
    },
    async reload() {
      await requireReachable(url)
      if (video.ended) return false
      await keepingState(loader, video.currentTime, (place) => player.load(url, place, HLS))
      return true
    },
  }
}

/** Throws an error in Shaka's format unless the address responds: the browser's own player does not say why it fails. */
async function requireReachable(url: string): Promise<void> {
  const response = await fetch(url).catch(() => null)
  if (response?.ok) return
  throw response ? { category: 1, code: 1001, data: [url, response.status] } : { category: 1 }
}

const clearKey = (
  { licenceUrl }: PlayerData,
  failureCallback: (error: ShakaError) => void,
): Pick<DrmSupport, 'configuration'> => ({
  configuration: {
    servers:
      licenceUrl === null ? {} : { 'org.w3.clearkey': new URL(licenceUrl, location.href).href },
    // A refusal with 403 is not repeated.
    retryParameters: { maxAttempts: 6, baseDelay: 1000, backoffFactor: 1.7, timeout: 30_000 },
    failureCallback,
  },
})

const configuration = (memory: Memory, drm: Pick<DrmSupport, 'configuration'>) => ({
  drm: drm.configuration,
  streaming: {
    bufferingGoal: BUFFER_BEFORE_PLAY,
    rebufferingGoal: 1,
    bufferBehind: 30,
    // Enough for short interruptions of the connection.
    retryParameters: { maxAttempts: 8, baseDelay: 500, backoffFactor: 1.7, timeout: 30_000 },
  },
  abr: {
    ...rememberedBandwidth(memory),
    restrictions: saverLimits(memory.read(DATA_SAVER) !== null),
  },
})

function rememberedBandwidth(memory: Memory): { defaultBandwidthEstimate?: number } {
  const estimate = Number(memory.read(BANDWIDTH))
  return estimate > 0 ? { defaultBandwidthEstimate: estimate } : {}
}

/** Stores the estimated bandwidth, so that the next video starts in a suitable quality. */
export function rememberBandwidth(player: ShakaPlayer, memory: Memory): void {
  const { estimatedBandwidth } = player.getStats()
  if (estimatedBandwidth > 0) memory.write(BANDWIDTH, String(Math.round(estimatedBandwidth)))
}

/** Fetches the new manifest and its first segments before it unloads the old ones. */
async function reload(loader: Loader, url: string, seconds?: number): Promise<boolean> {
  const { player, video, beforeLoad } = loader
  beforeLoad()
  const from = video.currentTime
  const preload = await player.preload(url, seconds ?? from, DASH)
  await preload?.waitForFinish()
  const hasLeft = Math.abs(video.currentTime - from) > SAME_PLACE_SECONDS
  if (seconds === undefined ? video.ended : hasLeft) {
    await preload?.destroy()
    return false
  }
  const place = seconds ?? video.currentTime
  await keepingState(loader, place, () => player.load(preload ?? url, place, DASH))
  return true
}

/** Restores the chosen rate, which is not the video's while it buffers, and the play state after a load. */
async function keepingState(
  { video, rate }: Loader,
  place: number,
  load: (place: number) => Promise<void>,
): Promise<void> {
  const { paused } = video
  const playbackRate = rate.get()
  await keepingPlace(video, place, () => load(place))
  video.playbackRate = playbackRate
  // Not awaited: the part that follows may not be there yet.
  if (!paused) void video.play().catch(() => undefined)
}
