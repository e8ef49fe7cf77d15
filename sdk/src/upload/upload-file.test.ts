import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setUpApiFixture } from '../../../test/fixtures/api.ts'
import { readSource } from '../../../test/fixtures/stored-source.ts'
import {
  openUploadFront,
  type UploadFault,
  type UploadFront,
} from '../../../test/fixtures/upload-front.ts'
import { HAS_EVERY_CASE } from '../../../test/infrastructure/every-case.ts'
import { Reelgate, ReelgateError, type Upload } from '../index.ts'
import type { UploadSource } from './source.ts'
import { fetchTransport } from './transport.ts'
import { cancelAt, sendFile, type UploadFileOptions, type UploadProgress } from './upload-file.ts'

const KIB = 1 << 10
const MIB = 1 << 20
const CHUNK = 512 * KIB

const t = setUpApiFixture()
let front: UploadFront
let reelgate: Reelgate

beforeAll(async () => {
  front = await openUploadFront(t.base)
  reelgate = new Reelgate({ apiKey: t.ours.key, baseUrl: t.base })
})
afterAll(() => front.close())

const create = (sizeBytes: number | null): Promise<Upload> =>
  reelgate.uploads.create({ filename: 'lesson.mp4', size_bytes: sizeBytes })

const send = (
  source: UploadSource,
  { upload_url: url }: Upload,
  options: Partial<UploadFileOptions> = {},
  through = front,
) => {
  const uploadUrl = through.through(url ?? '')
  return sendFile(source, { uploadUrl, chunkSizeBytes: CHUNK, ...options }, fetchTransport())
}

/** A file as the kinds of sources that a caller may have; `pieceBytes` is how a stream yields it. */
const sourceOf = (kind: 'blob' | 'stream' | 'iterable', file: Buffer, pieceBytes: number) => {
  if (kind === 'blob') return new Blob([new Uint8Array(file)])
  const pieces = function* (): Generator<Uint8Array> {
    for (let at = 0; at < file.length; at += pieceBytes) yield file.subarray(at, at + pieceBytes)
  }
  const readable = Readable.from(pieces(), { objectMode: false })
  return kind === 'iterable' ? readable : (Readable.toWeb(readable) as ReadableStream<Uint8Array>)
}

const fault: fc.Arbitrary<UploadFault | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('cut' as const),
      afterBytes: fc.integer({ min: 1, max: CHUNK }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'lose-response' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('respond' as const),
      status: fc.constantFrom(404, 408, 500, 502, 503),
    }),
  },
)

describe('a file that is sent to the address of an upload', () => {
  it('becomes a video with the same bytes, whatever happens to its requests', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          faults: fc.array(fault, { maxLength: 5 }),
          sizeBytes: fc.integer({ min: 1, max: 1.5 * MIB }),
          kind: fc.constantFrom('blob' as const, 'stream' as const, 'iterable' as const),
          pieceBytes: fc.integer({ min: 30 * KIB, max: 700 * KIB }),
          isSizeKnown: fc.boolean(),
          isAborted: fc.boolean(),
        }),
        async ({ faults, sizeBytes, kind, pieceBytes, isSizeKnown, isAborted }) => {
          const file = randomBytes(sizeBytes)
          const upload = await create(isSizeKnown ? sizeBytes : null)
          front.failNext(faults)
          if (isAborted) {
            const aborting = new AbortController()
            const onProgress = ({ sentBytes }: UploadProgress) =>
              sentBytes > sizeBytes / 2 && aborting.abort(new Error('left the page'))
            const { signal } = aborting
            // A small file may be there before.
            await send(sourceOf(kind, file, pieceBytes), upload, { signal, onProgress }).catch(
              (error: unknown) => expect(String(error)).toContain('left the page'),
            )
          }
          const { videoId } = await send(sourceOf(kind, file, pieceBytes), upload)
          expect((await readSource(t, videoId)).equals(file)).toBe(true)
          const ended = await reelgate.uploads.get(upload.id)
          expect(ended).toMatchObject({ status: 'complete', video_id: videoId })
        },
      ),
      { numRuns: HAS_EVERY_CASE ? 60 : 6 },
    )
  }, 120_000)

  it('has its end in a chunk that is exactly full', async () => {
    const file = randomBytes(2 * CHUNK)
    const { videoId } = await send(sourceOf('stream', file, CHUNK), await create(null))
    expect((await readSource(t, videoId)).equals(file)).toBe(true)
  })

  it('reports its progress up to its size, within a chunk too', async () => {
    const file = randomBytes(CHUNK + 100 * KIB)
    const seen: UploadProgress[] = []
    const onProgress = (progress: UploadProgress) => void seen.push(progress)
    await send(sourceOf('blob', file, 0), await create(file.length), { onProgress })
    expect(seen[0]).toEqual({ sentBytes: 0, sizeBytes: file.length })
    expect(seen.at(-1)).toEqual({ sentBytes: file.length, sizeBytes: file.length })
    expect(seen.some(({ sentBytes }) => sentBytes > 0 && sentBytes < CHUNK)).toBe(true)
  })

  it('names its length to proxies', async () => {
    const file = randomBytes(CHUNK)
    await send(sourceOf('iterable', file, 100 * KIB), await create(null))
    // The end of the stream is seen behind its last chunk.
    expect(front.seen.slice(-2).map(({ bodyBytes }) => bodyBytes)).toEqual([CHUNK, 0])
  })
})

describe('a proxy', () => {
  it('that refuses long bodies gets shorter ones, also of the next upload', async () => {
    const proxy = await openUploadFront(t.base)
    try {
      proxy.limitBodies(MIB)
      const lengths = () =>
        proxy.seen.filter(({ method }) => method === 'PUT').map(({ bodyBytes }) => bodyBytes)
      const file = randomBytes(3 * MIB)
      const options = { chunkSizeBytes: 4 * MIB }
      await send(sourceOf('blob', file, 0), await create(file.length), options, proxy)
      expect(lengths().slice(0, 3)).toEqual([3 * MIB, 1.5 * MIB, 0.75 * MIB])
      const before = lengths().length
      await send(sourceOf('blob', file, 0), await create(file.length), options, proxy)
      expect(lengths().slice(before)).toEqual([0.75, 0.75, 0.75, 0.75].map((size) => size * MIB))
    } finally {
      await proxy.close()
    }
  })

  it('that refuses the shortest bodies ends the upload with its status', async () => {
    const proxy = await openUploadFront(t.base)
    try {
      proxy.limitBodies(KIB)
      const sending = send(sourceOf('blob', randomBytes(MIB), 0), await create(MIB), {}, proxy)
      await expect(sending).rejects.toMatchObject({ status: 413 })
    } finally {
      await proxy.close()
    }
  })

  it('that cuts long bodies without a word gets shorter ones', async () => {
    const proxy = await openUploadFront(t.base)
    try {
      const cut: UploadFault = { kind: 'cut', afterBytes: 0 }
      proxy.failNext([null, cut, null, cut])
      const file = randomBytes(2 * MIB)
      const options = { chunkSizeBytes: 2 * MIB }
      await send(sourceOf('blob', file, 0), await create(file.length), options, proxy)
      expect(proxy.seen.at(-1)?.bodyBytes).toBe(MIB)
    } finally {
      await proxy.close()
    }
  })

  it('that cuts long bodies is known to the next call, and the caller learns what it takes', async () => {
    const proxy = await openUploadFront(t.base)
    try {
      const cut: UploadFault = { kind: 'cut', afterBytes: 0 }
      const file = randomBytes(4 * MIB)
      const upload = await create(file.length)
      const sizes: number[] = []
      const onChunkSize = (bytes: number) => void sizes.push(bytes)
      const options = { chunkSizeBytes: 4 * MIB, maxRetries: 0, onChunkSize }
      const call = () => send(sourceOf('blob', file, 0), upload, options, proxy)
      proxy.failNext([null, cut])
      await expect(call()).rejects.toMatchObject({ code: 'connection_failed' })
      // Twice more at the same byte: each halves.
      proxy.failNext([null, cut, null, cut])
      await call()
      expect(proxy.seen.at(-1)?.bodyBytes).toBe(MIB)
      expect(sizes).toEqual([MIB])
    } finally {
      await proxy.close()
    }
  })

  it('is waited for as long as it says, and the caller is told', async () => {
    const upload = await create(10)
    front.failNext([null, { kind: 'respond', status: 503, headers: { 'Retry-After': '1' } }])
    const retries: [number | undefined, number][] = []
    const onRetry = ({ status }: ReelgateError, waitMs: number) =>
      void retries.push([status, waitMs])
    await send(sourceOf('blob', randomBytes(10), 0), upload, { onRetry })
    expect(retries).toEqual([[503, 1000]])
    const [second, third] = front.seen.slice(-3)
    expect((third?.atMs ?? 0) - (second?.atMs ?? 0)).toBeGreaterThanOrEqual(1000)
  })

  it('that fails all the time ends the upload after the retries, and the next call continues', async () => {
    const upload = await create(10)
    const file = randomBytes(10)
    front.failNext(Array.from({ length: 3 }, () => ({ kind: 'respond', status: 502 })))
    await expect(send(sourceOf('blob', file, 0), upload, { maxRetries: 2 })).rejects.toMatchObject({
      status: 502,
    })
    const { videoId } = await send(sourceOf('blob', file, 0), upload)
    expect((await readSource(t, videoId)).equals(file)).toBe(true)
  })
})

describe('an upload that cannot continue', () => {
  const ten = () => sourceOf('blob', randomBytes(10), 0)

  it('is told by codes', async () => {
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => null,
        (error: unknown) => (error instanceof ReelgateError ? error.code : error),
      )
    const upload = await create(10)
    const none = { ...upload, upload_url: `${upload.upload_url?.slice(0, -2)}xx` }
    expect(await codeOf(send(ten(), none))).toBe('upload_not_found')
    expect(await codeOf(send(sourceOf('blob', randomBytes(11), 0), upload))).toBe(
      'upload_size_mismatch',
    )
    expect(await codeOf(send(sourceOf('stream', randomBytes(11), 99), upload))).toBe(
      'upload_size_mismatch',
    )
    front.failNext([{ kind: 'respond', status: 302, headers: { Location: '/' } }])
    expect(await codeOf(send(ten(), upload))).toBe('unexpected_redirect')
    for (const wrong of [{ uploadUrl: 'x' }, { chunkSizeBytes: 1 }, { maxRetries: -1 }])
      expect(await codeOf(send(ten(), upload, wrong))).toBe('invalid_parameter')
    expect(await codeOf(send('text' as unknown as Blob, upload))).toBe('invalid_parameter')
    const full = await create(null)
    await t.db.em
      .fork()
      .execute('update plan set storage_limit_bytes = 1 where account_id = ?', [t.ours.id])
    expect(await codeOf(send(ten(), full))).toBe('insufficient_storage')
    await t.db.em
      .fork()
      .execute('update plan set storage_limit_bytes = null where account_id = ?', [t.ours.id])
  })

  it('by its file, which was changed or is shorter than what is stored, says so', async () => {
    const path = join(t.folder, 'changing.mp4')
    await writeFile(path, randomBytes(CHUNK + 10))
    const blob = await openAsBlob(path)
    const upload = await create(blob.size)
    await appendFile(path, 'more')
    await expect(send(blob, upload)).rejects.toMatchObject({ code: 'file_unreadable' })
    const stopping = new AbortController()
    const stream = await create(null)
    const onProgress = ({ sentBytes }: UploadProgress) => sentBytes > CHUNK && stopping.abort()
    const { signal } = stopping
    const first = send(sourceOf('stream', randomBytes(3 * CHUNK), 9 * KIB), stream, {
      onProgress,
      signal,
    })
    await expect(first).rejects.toThrow('aborted')
    await expect(send(sourceOf('stream', randomBytes(9), 9), stream)).rejects.toMatchObject({
      code: 'upload_size_mismatch',
    })
  })

  it('is cancelled at its address', async () => {
    const upload = await create(10)
    const url = upload.upload_url ?? ''
    await cancelAt(url, fetchTransport())
    expect((await reelgate.uploads.get(upload.id)).status).toBe('cancelled')
    await expect(cancelAt(url, fetchTransport())).rejects.toMatchObject({
      code: 'upload_not_found',
    })
  })
})

it('ends whole when two clients send the same file', async () => {
  const file = randomBytes(3 * MIB)
  const upload = await create(file.length)
  const both = await Promise.allSettled([1, 2].map(() => send(sourceOf('blob', file, 0), upload)))
  for (const one of both)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'upload_taken_over' })
  const { video_id: videoId } = await reelgate.uploads.get(upload.id)
  expect((await readSource(t, String(videoId))).equals(file)).toBe(true)
})

describe('reelgate.uploadFile', () => {
  it('creates the upload and sends the file, whose name and size it knows', async () => {
    const file = randomBytes(100)
    const created: Upload[] = []
    const { videoId } = await reelgate.uploadFile(
      new File([new Uint8Array(file)], 'Lesson 7.mp4'),
      { description: 'Seven', onCreated: (upload) => void created.push(upload) },
    )
    expect(created).toMatchObject([{ filename: 'Lesson 7.mp4', size_bytes: 100 }])
    expect(await reelgate.videos.get(videoId)).toMatchObject({
      title: 'Lesson 7',
      description: 'Seven',
    })
    const { videoId: streamed } = await reelgate.uploadFile(sourceOf('stream', file, 7), {
      filename: 'recording.webm',
    })
    expect((await readSource(t, streamed)).equals(file)).toBe(true)
  })

  it('names what has ended the upload', async () => {
    const cancelling = { onCreated: ({ id }: Upload) => void reelgate.uploads.cancel(id) }
    // The upload is cancelled while its bytes are on their way, or before.
    const slow = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) {
        const { data } = await reelgate.uploads.list({ limit: 1 })
        if (data[0]?.status === 'cancelled') return
        yield new Uint8Array(1)
      }
    }
    await expect(
      reelgate.uploadFile(slow(), { filename: 'a.mp4', ...cancelling }),
    ).rejects.toMatchObject({ code: 'upload_cancelled' })
    await expect(reelgate.uploadFile(new Blob(['a']))).rejects.toMatchObject({
      code: 'invalid_parameter',
      param: 'filename',
    })
  })
})
