import { speedMeter } from '../../../../domain/uploads/speed-meter.ts'
import { judgeProblem, type Verdict } from './judge-problem.ts'
import {
  isSameFile,
  newItem,
  type ChosenFile,
  type NamedFile,
  type UploadItem,
} from './upload-item.ts'
import { nextItem, toStart, type UploadEvent } from './upload-states.ts'

/** What the server says of an upload. */
export interface ServerUpload {
  id: number
  /** Null once it has ended. */
  url: string | null
  sentBytes: number
  /** Null unless it is complete. */
  videoId: string | null
}

/** What a queue needs of the server and of the browser. */
export interface UploadService<F extends NamedFile> {
  create: (item: UploadItem<F>) => Promise<ServerUpload>
  find: (id: number) => Promise<ServerUpload>
  cancel: (id: number) => Promise<void>
  /** Sends a file from where the server has it, to its end. `onProgress` gets how many bytes of the file are sent. */
  send: (file: F, url: string, options: SendOptions) => Promise<void>
  /** Resolves after a time, or earlier if it makes sense to try again. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  now: () => number
}

export interface SendOptions {
  onProgress: (bytes: number) => void
  signal: AbortSignal
}

const SHOWN_EVERY_MS = 250
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

const pauseMs = (failures: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)

/** Sends files, three at a time, and continues each until it is a video, or cannot become one. */
export class UploadQueue<F extends NamedFile> {
  readonly #service: UploadService<F>
  readonly #onChange: (items: readonly UploadItem<F>[], changed: UploadItem<F>) => void
  readonly #attempts = new Map<string, AbortController>()
  /** The uploads that are being created, so that one that is paused meanwhile is not created twice. */
  readonly #created = new Map<string, Promise<ServerUpload>>()
  /** The addresses are secrets, and live as long as the page. */
  readonly #urls = new Map<string, string>()
  #items: readonly UploadItem<F>[] = []

  /** `onChange` gets all uploads, and the one that has changed. */
  constructor(
    service: UploadService<F>,
    onChange: (items: readonly UploadItem<F>[], changed: UploadItem<F>) => void,
  ) {
    this.#service = service
    this.#onChange = onChange
  }

  get items(): readonly UploadItem<F>[] {
    return this.#items
  }

  add(key: string, chosen: ChosenFile<F>): void {
    this.restore(newItem(key, chosen))
  }

  /** Takes an upload over that was begun before the page was loaded. */
  restore(item: UploadItem<F>): void {
    this.#put([...this.#items, item], item)
    this.#fill()
  }

  pause(key: string): void {
    this.#apply(key, { type: 'pause' })
    this.#stop(key)
  }

  /** Continues an upload that is paused or has failed. */
  resume(key: string): void {
    this.#apply(key, { type: 'resume' })
    this.#fill()
  }

  /** Continues an upload with the file that it began with. Returns false for another file. */
  choose(key: string, file: F): boolean {
    const item = this.#find(key)
    if (!item || !isSameFile(item, file)) return false
    this.#apply(key, { type: 'choose', file })
    this.#fill()
    return true
  }

  cancel(key: string): void {
    this.#apply(key, { type: 'cancel' })
    if (this.#find(key)?.state !== 'cancelled') return
    this.#stop(key)
    if (!this.#created.has(key)) void this.#discard(key)
  }

  /** Takes uploads off the list that have ended, or have failed. */
  dismiss(keys: readonly string[]): void {
    for (const key of keys) {
      const item = this.#find(key)
      if (item?.state === 'failed') this.cancel(key)
      if (item?.state === 'done') this.#remove(item)
    }
  }

  #find(key: string): UploadItem<F> | undefined {
    return this.#items.find((one) => one.key === key)
  }

  #put(items: readonly UploadItem<F>[], changed: UploadItem<F>): void {
    this.#items = items
    this.#onChange(items, changed)
  }

  #apply(key: string, event: UploadEvent<F>): void {
    const item = this.#find(key)
    if (!item) return
    const next = nextItem(item, event)
    if (next === item) return
    this.#put(
      this.#items.map((one) => (one === item ? next : one)),
      next,
    )
  }

  #remove(item: UploadItem<F>): void {
    this.#urls.delete(item.key)
    this.#put(
      this.#items.filter(({ key }) => key !== item.key),
      item,
    )
  }

  #stop(key: string): void {
    this.#attempts.get(key)?.abort()
    this.#attempts.delete(key)
    this.#fill()
  }

  #fill(): void {
    for (const key of toStart(this.#items)) {
      this.#apply(key, { type: 'start' })
      const attempt = new AbortController()
      this.#attempts.set(key, attempt)
      void this.#run(key, attempt.signal).then(() => this.#fill())
    }
  }

  /** Tries until the upload has ended, or is stopped. */
  async #run(key: string, signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      const before = this.#find(key)?.sentBytes ?? 0
      try {
        return await this.#attempt(key, signal)
      } catch (error) {
        if (signal.aborted) return
        const verdict = judgeProblem(error)
        if (verdict.kind !== 'passes') return await this.#end(key, verdict)
        if ((this.#find(key)?.sentBytes ?? 0) > before) failures = 0
        this.#apply(key, { type: 'delay', delay: verdict.delay })
        await this.#service.pause(pauseMs(failures), signal)
      }
    }
  }

  async #attempt(key: string, signal: AbortSignal): Promise<void> {
    const found = await this.#openAddress(key)
    const file = this.#find(key)?.file
    if (signal.aborted || !file || found === null) return
    await this.#service.send(file, found, { signal, onProgress: this.#progressOf(key, signal) })
    const { uploadId } = this.#find(key) ?? {}
    if (uploadId == null || signal.aborted) return
    const { videoId } = await this.#service.find(uploadId)
    if (videoId === null) throw new TypeError('the server has not received the whole file')
    this.#apply(key, { type: 'done', videoId })
  }

  /** The address of an upload, which is created if the server does not know it yet; null once it has ended. */
  async #openAddress(key: string): Promise<string | null> {
    const item = this.#find(key)
    const known = this.#urls.get(key)
    if (!item || known !== undefined) return known ?? null
    const upload = await (item.uploadId === null
      ? this.#create(item)
      : this.#service.find(item.uploadId))
    if (upload.url !== null) this.#urls.set(key, upload.url)
    else if (upload.videoId !== null) this.#apply(key, { type: 'done', videoId: upload.videoId })
    else this.#apply(key, { type: 'gone', failure: 'upload_not_found' })
    return upload.url
  }

  #create(item: UploadItem<F>): Promise<ServerUpload> {
    const { key } = item
    const created = this.#created.get(key) ?? this.#service.create(item)
    this.#created.set(key, created)
    return created
      .finally(() => this.#created.delete(key))
      .then(
        (upload) => {
          this.#apply(key, { type: 'created', uploadId: upload.id })
          if (this.#find(key)?.state === 'cancelled') void this.#discard(key)
          return upload
        },
        (error: unknown) => {
          const current = this.#find(key)
          if (current?.state === 'cancelled') this.#remove(current)
          throw error
        },
      )
  }

  #progressOf(key: string, signal: AbortSignal): SendOptions['onProgress'] {
    const measure = speedMeter()
    let shownAtMs = Number.NEGATIVE_INFINITY
    return (bytes) => {
      const nowMs = this.#service.now()
      const isDue = nowMs - shownAtMs >= SHOWN_EVERY_MS || bytes === this.#find(key)?.sizeBytes
      if (signal.aborted || !isDue) return
      shownAtMs = nowMs
      this.#apply(key, { type: 'sent', bytes, bytesPerSecond: measure(bytes, nowMs) })
    }
  }

  /** Ends an upload after a problem. One that the server no longer takes may be complete, and only the response was lost. */
  async #end(key: string, { kind, failure }: Exclude<Verdict, { kind: 'passes' }>): Promise<void> {
    if (kind === 'ends') return this.#apply(key, { type: 'fail', failure })
    this.#urls.delete(key)
    const { uploadId = null } = this.#find(key) ?? {}
    const upload = uploadId === null ? null : await this.#service.find(uploadId).catch(() => null)
    if (upload?.videoId != null) this.#apply(key, { type: 'done', videoId: upload.videoId })
    else this.#apply(key, { type: 'gone', failure })
  }

  /** Cancels an upload on the server, so that its storage is free again, and takes it off the list. */
  async #discard(key: string): Promise<void> {
    const item = this.#find(key)
    if (!item) return
    const { uploadId } = item
    const { signal } = new AbortController()
    for (let failures = 0; uploadId !== null; failures += 1) {
      try {
        await this.#service.cancel(uploadId)
        break
      } catch (error) {
        if (judgeProblem(error).kind !== 'passes') break
        await this.#service.pause(pauseMs(failures), signal)
      }
    }
    this.#remove(item)
  }
}
