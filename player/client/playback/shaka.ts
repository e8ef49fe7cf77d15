/** The part of Shaka Player's API that this page uses. */
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

/** A manifest and its first segments, fetched in advance. */
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

type RequestFilter = (
  type: number,
  request: { uris: string[]; headers: Record<string, string> },
) => void

export interface ShakaNamespace {
  Player: { new (): ShakaPlayer; isBrowserSupported(): boolean }
  polyfill: { installAll(): void }
  net: { NetworkingEngine: { RequestType: { MANIFEST: number; LICENSE: number } } }
}

/** Loads Shaka Player as a module, so that it creates no global. */
export async function loadShaka(url: string): Promise<ShakaNamespace> {
  const { default: shaka }: { default: ShakaNamespace } = await import(url)
  shaka.polyfill.installAll()
  return shaka
}
