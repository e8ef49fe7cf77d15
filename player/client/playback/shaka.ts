/** The part of Shaka Player's API that this page uses. */
export interface ShakaPlayer extends EventTarget {
  attach(video: HTMLVideoElement): Promise<void>
  load(source: string | Preload, startTime?: number | null, mimeType?: string): Promise<void>
  unload(): Promise<void>
  preload(uri: string, startTime?: number, mimeType?: string): Promise<Preload | null>
  configure(config: object): void
  /** Every playable combination of a video and an audio track. */
  getVariantTracks(): {
    width: number | null
    height: number | null
    /** Bits a second. */
    videoBandwidth: number | null
    audioBandwidth: number | null
  }[]
  isBuffering(): boolean
  /** True while the manifest says that segments are still added. */
  isLive(): boolean
  getMediaElement(): HTMLMediaElement | null
  getBufferedInfo(): Record<'video' | 'audio', { start: number; end: number }[]>
  getVideoTracks(): VideoTrack[]
  selectVideoTrack(track: VideoTrack, clearBuffer?: boolean): void
  getAudioTracks(): AudioTrack[]
  selectAudioTrack(track: AudioTrack): void
  getNetworkingEngine(): {
    registerRequestFilter(filter: RequestFilter): void
    registerResponseFilter(filter: ResponseFilter): void
  } | null
  getStats(): { bytesDownloaded: number; estimatedBandwidth: number }
  retryStreaming(): boolean
  /** The name of the key system in use; empty before the licence request. */
  keySystem(): string
  /** EME key statuses, by key id in hex. */
  getKeyStatuses(): Record<string, string>
  getManifest(): {
    variants: ShakaVariant[]
    presentationTimeline: {
      notifyMinSegmentStartTime(seconds: number): void
      /** Seconds. */
      getMaxSegmentEndTime(): number
    }
  } | null
  /** Closes a session and opens it again. Resolves to false if there is no such session. */
  retryLicensing(session: unknown, delaySeconds: number): Promise<boolean>
}

/** A combination of a video and an audio track, also one without a usable key. */
export interface ShakaVariant {
  video: { width: number | null; height: number | null; keyIds: ReadonlySet<string> } | null
  decodingInfos: {
    supported: boolean
    keySystemAccess?: MediaKeySystemAccess | null
  }[]
}

/** The properties of Shaka Player's errors that are read here. */
export interface ShakaError {
  code?: unknown
  category?: unknown
  /** 1 if playback goes on. */
  severity?: unknown
  data?: unknown[]
  /** Set by a callback that has dealt with the error. */
  handled?: boolean
}

/** A manifest and its first segments, fetched in advance. */
interface Preload {
  waitForFinish(): Promise<void>
  destroy(): Promise<void>
}

export interface VideoTrack {
  active: boolean
  width: number | null
  height: number | null
  bandwidth: number
  frameRate: number | null
  codecs: string | null
}

export interface AudioTrack {
  active: boolean
  language: string
  label: string | null
  /** Of DASH, or the kind of a native track. */
  roles: string[]
  /** Such as `visually impaired`. */
  accessibilityPurpose: string | null
}

/** What is requested more exactly. */
export interface RequestContext {
  type?: number
  /** Of a segment; the ids of its keys are hex. */
  stream?: {
    type: string
    bandwidth?: number
    keyIds: ReadonlySet<string>
    /** Called when another stream of the type is played. */
    closeSegmentIndex?: () => void
  }
  /** Of a part of picture or audio. Seconds. */
  segment?: { getStartTime(): number; getEndTime(): number }
}

type RequestFilter = (
  type: number,
  request: {
    uris: string[]
    headers: Record<string, string>
    /** EME's message type, and the session, of a licence request. */
    licenseRequestType?: string | null
    sessionId?: string | null
  },
  context?: RequestContext,
) => void | Promise<void>

type ResponseFilter = (type: number, response: { data: BufferSource }) => void

export interface ShakaNamespace {
  Player: { new (): ShakaPlayer; isBrowserSupported(): boolean }
  polyfill: { installAll(): void }
  net: {
    NetworkingEngine: {
      RequestType: { MANIFEST: number; SEGMENT: number; LICENSE: number }
      AdvancedRequestType: { MEDIA_SEGMENT: number }
    }
  }
}

/** Loads Shaka Player as a module, so that it creates no global. */
export async function loadShaka(url: string): Promise<ShakaNamespace> {
  const { default: shaka }: { default: ShakaNamespace } = await import(url)
  shaka.polyfill.installAll()
  return shaka
}
