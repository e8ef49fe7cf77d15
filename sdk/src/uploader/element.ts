import { ReelgateError } from '../error.ts'
import { browserTransport } from '../upload/browser-transport.ts'
import { cancelAt, sendFile, type UploadProgress } from '../upload/upload-file.ts'
import { askEndpoint } from './endpoint.ts'
import { forgetAddress, recallAddress, rememberAddress } from './remembered.ts'
import type { UploaderTexts } from './texts.ts'
import { createView, type UploaderLook, type UploaderState, type UploaderView } from './view.ts'

/** Gets the `upload_url` of a new upload from the server of the page. */
export type GetUploadUrl = (file: File) => string | Promise<string>

const EMPTY: UploaderLook = {
  state: 'empty',
  name: '',
  sentBytes: 0,
  sizeBytes: 0,
  code: '',
  isOnly: false,
}
const READY: readonly UploaderState[] = ['empty', 'complete', 'failed']
const BUSY: readonly UploaderState[] = ['starting', 'sending', 'waiting']

// Servers that render a page have no elements.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement

/**
 * `<reelgate-uploader>` sends one video to the `upload_url` of an upload: that of the attribute `upload-url`, or one that the page's server
 * makes for the file, at `endpoint` or by the property `getUploadUrl`. Its events are `progress`, `complete` (detail.videoId), `error`
 * (detail.code) and `cancel`.
 */
export class ReelgateUploader extends Base {
  static observedAttributes = ['accept', 'lang']
  /** Asked for the address of each file; takes precedence over the attributes. */
  getUploadUrl: GetUploadUrl | null = null
  #texts: UploaderTexts = {}
  #view: UploaderView | null = null
  #look = EMPTY
  #file: File | null = null
  /** Of the file; null until it is known. */
  #url: string | null = null
  #sending: AbortController | null = null

  connectedCallback(): void {
    this.#view ??= createView(this.attachShadow({ mode: 'open' }), {
      take: (file) => this.upload(file),
      pause: () => this.pause(),
      resume: () => this.resume(),
      retry: () => this.resume(),
      cancel: () => this.cancel(),
      another: () => this.#show(EMPTY),
    })
    this.#show({})
  }

  disconnectedCallback(): void {
    this.pause()
  }

  /** Defined so that `moveBefore` does not pause. */
  connectedMoveCallback(): void {}

  attributeChangedCallback(): void {
    this.#show({})
  }

  get state(): UploaderState {
    return this.#look.state
  }

  get uploadUrl(): string {
    return this.getAttribute('upload-url') ?? ''
  }
  set uploadUrl(url: string) {
    this.setAttribute('upload-url', url)
  }

  get endpoint(): string {
    return this.getAttribute('endpoint') ?? ''
  }
  set endpoint(address: string) {
    this.setAttribute('endpoint', address)
  }

  get texts(): UploaderTexts {
    return this.#texts
  }
  /** Replaces the words that are given, by their names and by error codes. */
  set texts(texts: UploaderTexts) {
    this.#texts = texts
    this.#show({})
  }

  /** Sends a file, as if a person had chosen it. Has no effect while another one is sent. */
  upload(file: File): void {
    if (!READY.includes(this.state)) return
    this.#file = file
    this.#url = null
    this.#show({ ...EMPTY, name: file.name, sizeBytes: file.size })
    void this.#send(file)
  }

  pause(): void {
    if (!BUSY.includes(this.state)) return
    this.#stop()
    this.#show({ state: 'paused' })
  }

  /** Continues after a pause or an error. */
  resume(): void {
    if (this.#file && ['paused', 'failed'].includes(this.state)) void this.#send(this.#file)
  }

  /** Ends the upload: what is stored of it is removed. */
  cancel(): void {
    if (['empty', 'complete'].includes(this.state)) return
    this.#stop()
    // Without the service, the upload expires.
    if (this.#url !== null) void cancelAt(this.#url, browserTransport()).catch(() => {})
    this.#forget()
    this.#show(EMPTY)
    this.dispatchEvent(new CustomEvent('cancel'))
  }

  #stop(): void {
    this.#sending?.abort()
    this.#sending = null
  }

  async #send(file: File): Promise<void> {
    const sending = (this.#sending = new AbortController())
    const { signal } = sending
    this.#show({ state: 'starting' })
    try {
      const { videoId } = await this.#sendTo(file, signal)
      this.#forget()
      this.#show({ state: 'complete', sentBytes: file.size, isOnly: this.#hasOneUpload() })
      this.dispatchEvent(new CustomEvent('complete', { detail: { videoId } }))
    } catch (error) {
      if (signal.aborted) return
      const { code, message } =
        error instanceof ReelgateError ? error : { code: 'failed', message: String(error) }
      if (code === 'upload_not_found') this.#forget()
      this.#show({ state: 'failed', code })
      this.dispatchEvent(new CustomEvent('error', { detail: { code, message } }))
    } finally {
      if (this.#sending === sending) this.#sending = null
    }
  }

  /** Continues an upload that an earlier page began; if that one has ended, begins again. */
  async #sendTo(file: File, signal: AbortSignal): Promise<{ videoId: string }> {
    const recalled = this.#url === null ? this.#recall(file) : null
    if (recalled !== null) {
      this.#url = recalled
      try {
        return await this.#sendAt(recalled, file, signal)
      } catch (error) {
        if (!(error instanceof ReelgateError) || error.code !== 'upload_not_found') throw error
        this.#forget()
      }
    }
    const url = this.#url ?? (await this.#askForUrl(file, signal))
    signal.throwIfAborted()
    this.#url = url
    return this.#sendAt(url, file, signal)
  }

  #sendAt(uploadUrl: string, file: File, signal: AbortSignal): Promise<{ videoId: string }> {
    const onProgress = ({ sentBytes }: UploadProgress): void => {
      if (signal.aborted) return
      this.#show({ state: 'sending', sentBytes })
      const detail = { sentBytes, sizeBytes: file.size }
      this.dispatchEvent(new CustomEvent('progress', { detail }))
    }
    const onRetry = (): void => this.#show({ state: 'waiting' })
    const options = { uploadUrl, signal, onProgress, onRetry, maxRetries: Infinity }
    return sendFile(file, options, browserTransport())
  }

  async #askForUrl(file: File, signal: AbortSignal): Promise<string> {
    if (this.getUploadUrl) return this.getUploadUrl(file)
    if (this.uploadUrl) return this.uploadUrl
    const url = await askEndpoint(this.endpoint, file, signal)
    rememberAddress(this.endpoint, file, url)
    return url
  }

  #recall(file: File): string | null {
    return this.getUploadUrl || this.uploadUrl ? null : recallAddress(this.endpoint, file)
  }

  /** The address of the attribute takes no second file. */
  #hasOneUpload(): boolean {
    return !this.getUploadUrl && this.uploadUrl !== ''
  }

  #forget(): void {
    this.#url = null
    if (this.#file) forgetAddress(this.endpoint, this.#file)
  }

  #show(change: Partial<UploaderLook>): void {
    this.#look = { ...this.#look, ...change }
    if (!this.#view) return
    this.setAttribute('state', this.#look.state)
    this.#view.accept(this.getAttribute('accept') ?? 'video/*')
    const language = this.lang || document.documentElement.lang || undefined
    this.#view.show(this.#look, this.#texts, language)
  }
}

/** Defines `<reelgate-uploader>`, unless the page has it. Call it in browsers only. */
export function defineUploader(): void {
  if (!customElements.get('reelgate-uploader'))
    customElements.define('reelgate-uploader', ReelgateUploader)
}
