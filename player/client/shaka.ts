/** The part of Shaka Player that this page uses. */
export interface ShakaPlayer extends EventTarget {
  attach(video: HTMLVideoElement): Promise<void>
  load(uri: string, startTime?: number): Promise<void>
  configure(config: object): void
  getVariantTracks(): VariantTrack[]
  selectVariantTrack(track: VariantTrack, clearBuffer: boolean): void
  getNetworkingEngine(): { registerRequestFilter(filter: RequestFilter): void } | null
}

export interface VariantTrack {
  id: number
  active: boolean
  width: number | null
  height: number | null
  bandwidth: number
}

type RequestFilter = (
  type: number,
  request: { uris: string[]; headers: Record<string, string> },
) => void

interface ShakaNamespace {
  Player: { new (): ShakaPlayer; isBrowserSupported(): boolean }
  polyfill: { installAll(): void }
  net: { NetworkingEngine: { RequestType: { MANIFEST: number; LICENSE: number } } }
}

/** Loads Shaka's own build, after the page has painted. */
export async function loadShaka(url: string): Promise<ShakaNamespace> {
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error('the player script did not load')))
    document.head.append(script)
  })
  const { shaka } = window as unknown as { shaka: ShakaNamespace }
  shaka.polyfill.installAll()
  return shaka
}
