import { IFRAME_ALLOW, IFRAME_REFERRER_POLICY } from '../../domain/playback/embed-url.ts'
import type { Command, PlayerEvent, PlayerState } from '../client/parent/parent-protocol.ts'
import { Connection } from './connection.ts'
import { embedAddress } from './embed-address.ts'

const STYLE = new CSSStyleSheet()
STYLE.replaceSync(
  ':host{display:block;aspect-ratio:16/9}:host([hidden]){display:none}' +
    'iframe{border:0;width:100%;height:100%;display:block}' +
    'iframe.full{position:fixed;inset:0;z-index:2147483647;background:#000}',
)

const UNKNOWN: PlayerState = {
  currentTime: 0,
  duration: 0,
  paused: true,
  ended: false,
  muted: false,
  volume: 1,
  playbackRate: 1,
  captions: null,
  captionLanguages: [],
  fullscreen: false,
}

/**
 * `<reelgate-video src="EMBED_URL">`: an iframe with the attributes that protected playback needs, and
 * an interface like a video element's (docs/embedding.md).
 */
export class ReelgateVideo extends HTMLElement {
  static observedAttributes = ['src']
  #root = this.attachShadow({ mode: 'open' })
  #connection: Connection | null = null
  #state = UNKNOWN
  /** The page's own `overflow`, restored when the player no longer fills the window. */
  #overflow = ''

  connectedCallback(): void {
    this.#root.adoptedStyleSheets = [STYLE]
    this.#open()
  }

  disconnectedCallback(): void {
    this.#close()
  }

  /** Defined so that `moveBefore` does not reload the player. */
  connectedMoveCallback(): void {}

  attributeChangedCallback(): void {
    // Empty until the element is connected, and after that.
    if (!this.#root.firstChild) return
    this.#close()
    this.#open()
  }

  play = (): Promise<PlayerState> => this.#command({ method: 'play' })
  pause = (): Promise<PlayerState> => this.#command({ method: 'pause' })
  /** Seconds. */
  seek = (value: number): Promise<PlayerState> => this.#command({ method: 'seek', value })
  /** A BCP 47 tag; null hides the captions. */
  setCaptions = (value: string | null): Promise<PlayerState> =>
    this.#command({ method: 'setCaptions', value })

  get src(): string {
    return this.getAttribute('src') ?? ''
  }
  set src(src: string) {
    this.setAttribute('src', src)
  }

  get currentTime(): number {
    return this.#state.currentTime
  }
  set currentTime(seconds: number) {
    this.#set({ method: 'seek', value: seconds })
  }

  get volume(): number {
    return this.#state.volume
  }
  set volume(value: number) {
    this.#set({ method: 'setVolume', value })
  }

  get playbackRate(): number {
    return this.#state.playbackRate
  }
  set playbackRate(value: number) {
    this.#set({ method: 'setRate', value })
  }

  get muted(): boolean {
    return this.#state.muted
  }
  set muted(value: boolean) {
    // Frameworks set properties before the element is in the page.
    if (this.#connection) this.#set({ method: 'setMuted', value: !!value })
    else this.toggleAttribute('muted', !!value)
  }

  get captions(): string | null {
    return this.#state.captions
  }
  set captions(value: string | null) {
    this.setAttribute('captions', value || '')
    this.#set({ method: 'setCaptions', value })
  }
  get captionLanguages(): string[] {
    return this.#state.captionLanguages
  }
  get duration(): number {
    return this.#state.duration
  }
  get paused(): boolean {
    return this.#state.paused
  }
  get ended(): boolean {
    return this.#state.ended
  }
  get fullscreen(): boolean {
    return this.#state.fullscreen
  }

  #open(): void {
    const attribute = (name: string): string | null => this.getAttribute(name)
    const url = embedAddress(attribute('src'), { base: document.baseURI, attribute })
    // Without a valid address, the element shows its content.
    if (!url) return this.#root.replaceChildren(document.createElement('slot'))
    const frame = document.createElement('iframe')
    frame.allow = IFRAME_ALLOW
    frame.allowFullscreen = true
    frame.referrerPolicy = IFRAME_REFERRER_POLICY
    frame.title = this.title || 'Video'
    frame.loading = attribute('loading') === 'eager' ? 'eager' : 'lazy'
    frame.src = url.href
    this.#connection = new Connection(frame, url.origin, {
      onEvent: (event, state, code) => this.#hear(event, state, code),
      onFullWindow: (on) => this.#fillWindow(frame, on),
    })
    this.#root.replaceChildren(frame)
  }

  #close(): void {
    this.#connection?.close()
    this.#connection = null
    this.#state = UNKNOWN
    // Restores the page's scroll bars if the player fills the window.
    const [frame] = this.#root.children
    if (frame) this.#fillWindow(frame, false)
    this.#root.replaceChildren()
  }

  #hear(event: PlayerEvent, state: PlayerState, code: string | undefined): void {
    this.#state = state
    this.dispatchEvent(new CustomEvent(event, { detail: code ? { ...state, code } : state }))
  }

  #fillWindow(frame: Element, on: boolean): void {
    if (on === (frame.className === 'full')) return
    const { style } = document.documentElement
    if (on) this.#overflow = style.overflow
    style.overflow = on ? 'hidden' : this.#overflow
    frame.className = on ? 'full' : ''
  }

  async #command(command: Command): Promise<PlayerState> {
    if (!this.#connection) throw new Error('not_connected')
    return (this.#state = await this.#connection.command(command))
  }

  /** For property setters: errors are ignored, and events report the result. */
  #set(command: Command): void {
    this.#command(command).catch(() => {})
  }
}

// A page may load the script twice, as module and as script.
if (!customElements.get('reelgate-video')) customElements.define('reelgate-video', ReelgateVideo)
