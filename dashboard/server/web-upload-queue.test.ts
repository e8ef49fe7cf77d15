import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../web/api/problem.ts'
import type { NamedFile, UploadItem } from '../web/uploads/queue/upload-item.ts'
import {
  UploadQueue,
  type SendOptions,
  type ServerUpload,
  type UploadService,
} from '../web/uploads/queue/upload-queue.ts'

const CHUNK = 3

const problem = (status: number, code: string) =>
  new Problem({ kind: 'api_error', code, message: '', status, field: null, requestId: null })

/** One turn of everything that is pending. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

interface Stored extends ServerUpload {
  size: number
  isCancelled: boolean
}

/** A server that keeps how many bytes of each upload have arrived, and a network in front of it. */
class Server implements UploadService<NamedFile> {
  readonly uploads: Stored[] = []
  /** What each request throws; null if it arrives. */
  fault: (() => Error) | null = null
  isFull = false
  /** Whether files are read by the server. Otherwise their requests wait. */
  isOpen = true
  sending = 0
  mostAtOnce = 0
  #ms = 0

  async create(item: UploadItem): Promise<ServerUpload> {
    await this.#request()
    if (this.isFull) throw problem(422, 'insufficient_storage')
    const id = this.uploads.length + 1
    const url = `https://uploads.example/${id}`
    const upload = { id, url, sentBytes: 0, videoId: null }
    this.uploads.push({ ...upload, size: item.sizeBytes, isCancelled: false })
    return upload
  }

  async find(id: number): Promise<ServerUpload> {
    await this.#request()
    const { url, sentBytes, videoId, isCancelled } = this.#upload(id)
    return { id, url: videoId === null && !isCancelled ? url : null, sentBytes, videoId }
  }

  async cancel(id: number): Promise<void> {
    await this.#request()
    const upload = this.#upload(id)
    if (upload.videoId !== null) throw problem(409, 'upload_ended')
    upload.isCancelled = true
  }

  async send(file: NamedFile, url: string, { onProgress, signal }: SendOptions): Promise<void> {
    const upload = this.uploads.find((one) => one.url === url)
    this.sending += 1
    this.mostAtOnce = Math.max(this.mostAtOnce, this.sending)
    try {
      while (upload && upload.sentBytes < file.size) {
        await this.#request()
        while (!this.isOpen && !signal.aborted) await turn()
        signal.throwIfAborted()
        if (upload.isCancelled) throw problem(404, 'upload_not_found')
        upload.sentBytes = Math.min(upload.sentBytes + CHUNK, file.size)
        onProgress(upload.sentBytes)
      }
      if (upload) upload.videoId = `video-${upload.id}`
    } finally {
      this.sending -= 1
    }
  }

  readonly pause = turn

  now(): number {
    this.#ms += 1_000
    return this.#ms
  }

  #upload(id: number): Stored {
    const upload = this.uploads[id - 1]
    if (!upload) throw problem(404, 'upload_not_found')
    return upload
  }

  async #request(): Promise<void> {
    await turn()
    const error = this.fault?.()
    if (error) throw error
  }
}

const fileOf = (name: string, size = 10): NamedFile => ({ name, size, lastModified: 1 })

function openQueue() {
  const server = new Server()
  const seen: UploadItem[] = []
  const queue = new UploadQueue(server, (_items, changed) => seen.push(changed))
  const add = (name: string, size?: number) =>
    queue.add(name, { file: fileOf(name, size), folder: null })
  const stateOf = (key: string) => queue.items.find((item) => item.key === key)?.state
  const settle = async (isSettled = () => queue.items.every(({ state }) => isEnd(state))) => {
    for (let turns = 0; !isSettled(); turns += 1) {
      if (turns > 5_000) throw new Error(`not settled: ${JSON.stringify(queue.items)}`)
      await turn()
    }
  }
  return { server, queue, seen, add, stateOf, settle }
}

const isEnd = (state: UploadItem['state']): boolean => state === 'done' || state === 'failed'

describe('a queue of uploads', () => {
  it('sends three files at a time, in their order, until each is a video', async () => {
    const { server, queue, add, stateOf, settle } = openQueue()
    server.isOpen = false
    for (const name of ['a', 'b', 'c', 'd', 'e']) add(name)
    expect(queue.items.map(({ state }) => state)).toEqual([
      'uploading',
      'uploading',
      'uploading',
      'waiting',
      'waiting',
    ])
    queue.pause('a')
    expect([stateOf('a'), stateOf('d'), stateOf('e')]).toEqual(['paused', 'uploading', 'waiting'])
    server.isOpen = true
    queue.resume('a')
    await settle()
    expect(queue.items.map(({ state, videoId }) => [state, videoId !== null])).toEqual(
      Array(5).fill(['done', true]),
    )
    expect(server.mostAtOnce).toBeLessThanOrEqual(3)
    expect(server.uploads).toHaveLength(5)
  })

  it('waits for the network and for the sign-in, says so, and continues by itself', async () => {
    const { server, queue, seen, add, settle } = openQueue()
    const faults = [() => problem(401, 'not_signed_in'), () => new TypeError('no network')]
    for (const fault of faults) {
      server.fault = fault
      add(`file ${faults.indexOf(fault)}`)
      await settle(() => queue.items.at(-1)?.delay != null)
      server.fault = null
      await settle()
    }
    expect(new Set(seen.map(({ delay }) => delay))).toEqual(new Set([null, 'sign-in', 'network']))
    expect(server.uploads).toHaveLength(2)
  })

  it('ends an upload that the server refuses, with the reason, and tries again when asked', async () => {
    const { server, queue, add, stateOf, settle } = openQueue()
    server.isFull = true
    add('a')
    await settle()
    expect(queue.items[0]).toMatchObject({ state: 'failed', failure: 'insufficient_storage' })
    server.isFull = false
    queue.resume('a')
    await settle()
    expect(stateOf('a')).toBe('done')
  })

  it('begins again on the server if an upload was cancelled or has expired there', async () => {
    const { server, queue, add, settle } = openQueue()
    server.isOpen = false
    add('a')
    await settle(() => server.sending === 1)
    for (const upload of server.uploads) upload.isCancelled = true
    server.isOpen = true
    await settle()
    expect(queue.items[0]).toMatchObject({ state: 'failed', failure: 'upload_not_found' })
    queue.resume('a')
    await settle()
    expect(queue.items[0]).toMatchObject({ state: 'done', videoId: 'video-2' })
  })

  it('gives the storage back when an upload is cancelled, also while it is being created', async () => {
    const { server, queue, add, settle } = openQueue()
    server.isOpen = false
    add('sent')
    await settle(() => server.sending === 1)
    queue.cancel('sent')
    add('created')
    queue.cancel('created')
    await settle(() => queue.items.length === 0)
    expect(server.uploads.map(({ isCancelled }) => isCancelled)).toEqual([true, true])
    expect(server.sending).toBe(0)
  })

  it('continues an upload of an earlier visit with the same file alone', async () => {
    const { server, queue, settle } = openQueue()
    const { id } = await server.create({ sizeBytes: 10 } as UploadItem)
    queue.restore({
      key: 'a',
      name: 'a',
      sizeBytes: 10,
      modifiedMs: 1,
      file: null,
      folder: null,
      state: 'paused',
      failure: null,
      delay: null,
      sentBytes: 6,
      bytesPerSecond: null,
      uploadId: id,
      videoId: null,
    })
    queue.resume('a')
    expect(queue.items[0]?.state).toBe('paused')
    for (const other of [fileOf('b'), fileOf('a', 11), { ...fileOf('a'), lastModified: 2 }])
      expect(queue.choose('a', other)).toBe(false)
    expect(queue.choose('a', fileOf('a'))).toBe(true)
    await settle()
    expect(queue.items[0]).toMatchObject({ state: 'done', videoId: `video-${id}` })
    expect(server.uploads).toHaveLength(1)
  })
})

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f']

/** What a member, the network or the server does. */
const step = fc.oneof(
  ...(['add', 'pause', 'resume', 'cancel', 'expire'] as const).map((kind) =>
    fc.record({ kind: fc.constant(kind), key: fc.constantFrom(...KEYS) }),
  ),
  fc.record({
    kind: fc.constant('network' as const),
    fault: fc.constantFrom('none', 'away', 'signed-out'),
    isFull: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('wait' as const), turns: fc.integer({ min: 1, max: 12 }) }),
)

const FAULTS: Record<string, (() => Error) | null> = {
  none: null,
  away: () => new TypeError('no network'),
  'signed-out': () => problem(401, 'not_signed_in'),
}

describe('in any order of what members, network and server do', () => {
  it('at most three files are sent, each becomes one video or none, and no storage stays reserved', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { server, queue, add, settle } = openQueue()
        const added = new Set<string>()
        for (const one of steps) {
          if (one.kind === 'wait') for (let at = 0; at < one.turns; at += 1) await turn()
          else if (one.kind === 'network') {
            server.fault = FAULTS[one.fault] ?? null
            server.isFull = one.isFull
          } else if (one.kind === 'expire') {
            const { uploadId } = queue.items.find(({ key }) => key === one.key) ?? {}
            const upload = server.uploads.find(({ id }) => id === uploadId)
            if (upload && upload.videoId === null) upload.isCancelled = true
          } else if (one.kind !== 'add') queue[one.kind](one.key)
          else if (!added.has(one.key)) {
            added.add(one.key)
            add(one.key)
          }
          const sending = queue.items.filter(({ state }) => state === 'uploading')
          expect(sending.length).toBeLessThanOrEqual(3)
        }
        server.fault = null
        server.isFull = false
        const isDone = () => queue.items.every(({ state }) => state === 'done')
        for (let tries = 0; tries < 4 && !isDone(); tries += 1) {
          for (const { key } of queue.items) queue.resume(key)
          await settle(() => queue.items.every(({ state }) => isEnd(state)))
        }
        expect(queue.items.map(({ state }) => state).filter((state) => state !== 'done')).toEqual(
          [],
        )
        const videos = queue.items.map(({ videoId }) => videoId)
        expect(new Set(videos).size).toBe(videos.length)
        // Of what was cancelled after its last byte, the video stays.
        const reserved = server.uploads.filter(
          ({ isCancelled, videoId }) => !isCancelled && videoId === null,
        )
        expect(reserved).toEqual([])
      }),
      { numRuns: 500 },
    )
  }, 60_000)
})
