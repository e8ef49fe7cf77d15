/** The part of Shaka Player that this page uses. */
export interface ShakaPlayer extends EventTarget {
  attach(video: HTMLVideoElement): Promise<void>
  load(source: string | Preload, startTime?: number | null, mimeType?: string): Promise<void>
  unload(): Promise<void>
  preload(uri: string, startTime?: number, mimeType?: string): Promise<Preload | null>
  configure(config: object): void
  /** Every playable combination of a video and an audio track. */
  getVariantTracks(): { width: number | null; height: number | null }[]
  isBuffering(): boolean
  getVideoTracks(): VideoTrack[]
  selectVideoTrack(track: VideoTrack, clearBuffer?: boolean): void
  getAudioTracks(): AudioTrack[]
  selectAudioTrack(track: AudioTrack): void
  getNetworkingEngine(): { registerRequestFilter(filter: RequestFilter): void } | null
  getStats(): { bytesDownloaded: number; estimatedBandwidth: number }
  retryStreaming(): boolean
}

/** A manifest and the start of its segments, fetched before they are needed. */
interface Preload {
  waitForFinish(): Promise<void>
}

export interface VideoTrack {
  active: boolean
  width: number | null
  height: number | null
  bandwidth: number
}

export interface AudioTrack {
  active: boolean
  language: string
  label: string | null
}

/** What Shaka Player fails with. */
export interface ShakaError {
  code?: number
  category?: number
  severity?: number
  data?: unknown[]
}

type RequestFilter = (
  type: number,
  request: { uris: string[]; headers: Record<string, string> },
) => void

export interface ShakaNamespace {
  Player: { new (): ShakaPlayer; isBrowserSupported(): boolean }
  polyfill: { installAll(): void }
  net: { NetworkingEngine: { RequestType: { MANIFEST: number; LICENSE: number } } }
}

/** Loads Shaka's own build, as a module: it makes no global. */
export async function loadShaka(url: string): Promise<ShakaNamespace> {
  const { default: shaka } = (await import(url)) as { default: ShakaNamespace }
  shaka.polyfill.installAll()
  return shaka
}
