/** What the player reported last. Properties of the element and `detail` of its events have it. */
export interface PlayerState {
  /** Seconds. */
  currentTime: number
  /** Seconds; 0 while unknown. */
  duration: number
  paused: boolean
  ended: boolean
  muted: boolean
  /** 0 to 1. */
  volume: number
  playbackRate: number
  /** BCP 47 tag of the visible captions; null if none are visible. */
  captions: string | null
  captionLanguages: string[]
  /** True in full screen, and while the player fills the window of the page. */
  fullscreen: boolean
}

/** Names of the events of the element. */
export const PLAYER_EVENTS = [
  'ready',
  'play',
  'playing',
  'pause',
  'timeupdate',
  'seeked',
  'ended',
  'ratechange',
  'volumechange',
  'captions',
  'fullscreen',
  'error',
] as const

export type PlayerEventName = (typeof PLAYER_EVENTS)[number]

/** `code` of the event `error` says why the video does not play. */
export type PlayerEvent = CustomEvent<PlayerState & { code?: string }>

/** The element `<reelgate-video>`, which `embed.js` of the player host defines. */
export interface ReelgateVideoElement extends HTMLElement, Readonly<PlayerState> {
  src: string
  currentTime: number
  muted: boolean
  volume: number
  playbackRate: number
  /** Rejects with `not_allowed` if the browser requires a click first. */
  play(): Promise<PlayerState>
  pause(): Promise<PlayerState>
  seek(seconds: number): Promise<PlayerState>
  /** Rejects with `no_such_captions`. Null hides the captions. */
  setCaptions(language: string | null): Promise<PlayerState>
}

/** How a video is embedded. All but `src` and `script` have effect when the player loads. */
export interface PlayerOptions {
  /** The `embed_url` of the video, with its viewer token. A new one reloads the player. */
  src: string
  /** The name for screen readers. */
  title?: string | undefined
  loading?: 'lazy' | 'eager' | undefined
  /** Browsers allow it with `muted`. */
  autoplay?: boolean | undefined
  muted?: boolean | undefined
  loop?: boolean | undefined
  /** Plays along with the other players of the page. */
  together?: boolean | undefined
  /** Shows buttons that seek ten seconds back and forward. */
  skip?: boolean | undefined
  /** Seconds. */
  start?: number | undefined
  /** Language of the player's texts. */
  lang?: string | undefined
  /** Language of the captions at the start. */
  captions?: string | undefined
  /**
   * The address of `embed.js`, such as `https://play.example.com/embed.js`: the component adds it to the page, once.
   * It is not derived from `src`, because a script may do everything on your page and a frame may not.
   */
  script?: string | undefined
}

/** The attributes of the element. Those that are absent or off are undefined. */
export const attributesOf = (options: PlayerOptions) => ({
  src: options.src,
  title: options.title,
  loading: options.loading,
  autoplay: options.autoplay || undefined,
  muted: options.muted || undefined,
  loop: options.loop || undefined,
  together: options.together || undefined,
  skip: options.skip || undefined,
  start: options.start,
  lang: options.lang,
  captions: options.captions,
})

/** Adds the script that defines the element, unless the page has it. Call it in browsers only. */
export function loadScript(address: string | undefined): void {
  if (address === undefined || customElements.get('reelgate-video')) return
  const { href } = new URL(address, document.baseURI)
  if ([...document.scripts].some(({ src }) => src === href)) return
  const script = document.createElement('script')
  script.src = href
  script.async = true
  document.head.append(script)
}
