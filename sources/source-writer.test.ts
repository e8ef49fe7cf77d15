import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { ActivityDeps } from '../activities/deps.ts'
import { videoSource } from '../activities/download/video-source.ts'
import { ensureSourceKey } from '../activities/source/source-keys.ts'
import { forgetSource } from '../commands/ingest/source-keys.ts'
import { SourceWriteSchema } from '../db/entities/ingest.ts'
import { Video } from '../db/entities/video.ts'
import { SourceWriteLostError } from '../db/ingest/source-writes.ts'
import { sourceKey, tailsPrefix } from '../domain/videos/media-paths.ts'
import { createStorage, type ObjectStorage } from '../storage/object-storage.ts'
import { failingStorage } from '../test/fixtures/failing-storage.ts'
import { openIngestFixture, type IngestFixture } from '../test/fixtures/ingest.ts'
import { readSource } from '../test/fixtures/stored-source.ts'
import { someOf } from '../test/infrastructure/every-case.ts'
import { s3Server } from '../test/infrastructure/services.ts'
import { openSourceWriter } from './source-writer.ts'

const MIB = 1 << 20
const PART = 16 * MIB
const LARGE = randomBytes(2 * PART + 3 * MIB + 7)

let fixture: IngestFixture
let storages: Record<'folder' | 's3', ObjectStorage>

beforeAll(async () => {
  fixture = await openIngestFixture()
  storages = { folder: fixture.deps.storage, s3: createStorage(await s3Server()) }
})
afterAll(() => fixture.close())

const rowOf = (videoId: string) => fixture.deps.db.em.fork().findOne(SourceWriteSchema, { videoId })

/** A new video on a storage. */
async function newSource(storage: ObjectStorage) {
  const { videoId } = await fixture.addVideo()
  const deps: ActivityDeps = { ...fixture.deps, storage }
  const key = await ensureSourceKey(deps, videoId)
  const open = async (by = storage, file = {}) => {
    const writing = { ...deps, storage: by }
    const arriving = { validator: '"one"', firstByte: 0, ...file }
    const writer = await openSourceWriter(writing, key, videoSource(writing, key), arriving)
    // The memory of parts is that of the process, which other files of tests share.
    onTestFinished(() => writer.pause())
    return writer
  }
  return { videoId, deps, key, open }
}

async function* bytesOf(body: Buffer, startByte = 0, chunkBytes = 700_001): AsyncGenerator<Buffer> {
  for (let at = startByte; at < body.length; at += chunkBytes)
    yield body.subarray(at, at + chunkBytes)
}

describe.each(['folder', 's3'] as const)('a source that is written to the storage %s', (name) => {
  it.each([0, 5, MIB, PART, LARGE.length])('of %d bytes is stored whole', async (size) => {
    const body = LARGE.subarray(0, size)
    const { videoId, deps, open } = await newSource(storages[name])
    const writer = await open()
    await writer.append(bytesOf(body))
    expect(await deps.storage.stat(sourceKey(videoId))).toBeNull()
    expect(await writer.finish()).toMatchObject({ sizeBytes: size })
    expect((await readSource(deps, videoId)).equals(body)).toBe(true)
    expect(await rowOf(videoId)).toBeNull()
  })

  it('is continued by another process from what is recorded; the one before writes nothing more', async () => {
    const { videoId, deps, open } = await newSource(storages[name])
    const first = await open()
    expect(await first.append(bytesOf(LARGE.subarray(0, PART + 2 * MIB)))).toBe(PART)
    const second = await open()
    expect(second.offset()).toBe(PART)
    await expect(first.append(bytesOf(randomBytes(PART)))).rejects.toThrow(SourceWriteLostError)
    await second.append(bytesOf(LARGE, PART))
    const third = await open()
    await expect(second.finish()).rejects.toThrow(SourceWriteLostError)
    await third.append(bytesOf(LARGE, third.offset()))
    expect(await third.finish()).toMatchObject({ sizeBytes: LARGE.length })
    expect((await readSource(deps, videoId)).equals(LARGE)).toBe(true)
  })

  it.each([MIB, 5 * MIB + 7])(
    'stores the bytes of each request of %d once until a part has them',
    async (step) => {
      const { videoId, deps, open } = await newSource(storages[name])
      const body = LARGE.subarray(0, PART + 2 * MIB)
      let tailBytes = 0
      const counted: ObjectStorage = {
        ...storages[name],
        putBuffer(key, bytes, type) {
          if (key.startsWith(tailsPrefix(videoId))) tailBytes += bytes.length
          return storages[name].putBuffer(key, bytes, type)
        },
      }
      for (let at = 0; at < body.length; at += step) {
        const writer = await open(counted, { sizeBytes: body.length })
        expect(writer.offset()).toBe(at)
        await writer.append(bytesOf(body.subarray(at, at + step)))
        await writer.keep()
        await writer.release()
      }
      expect(tailBytes).toBeLessThan(body.length + MIB)
      const last = await open(counted, { sizeBytes: body.length })
      expect(await last.finish()).toMatchObject({ sizeBytes: body.length })
      expect((await readSource(deps, videoId)).equals(body)).toBe(true)
      const tails = []
      for await (const { key } of storages[name].list(tailsPrefix(videoId))) tails.push(key)
      // Those that the part has are removed.
      expect(tails.length).toBeLessThanOrEqual(2)
    },
  )

  it('begins again for another file, and where its object was removed', async () => {
    const { videoId, deps, open } = await newSource(storages[name])
    const other = { validator: '"two"' }
    const first = await open()
    await first.append(bytesOf(randomBytes(PART + MIB)))
    await first.release()
    const restarted = await open(storages[name], other)
    expect(restarted.offset()).toBe(0)
    expect(await restarted.append(bytesOf(randomBytes(PART + MIB)))).toBe(PART)
    await deps.storage.deletePrefix(`sources/${videoId}/`)
    await deps.storage.removeUnfinished(new Date(Date.now() + 2_000))
    // S3 may close the connection before it says so.
    await expect(restarted.append(bytesOf(LARGE))).rejects.toThrow()
    const missing = { ...other, firstByte: PART }
    await expect(open(storages[name], missing)).rejects.toThrow(SourceWriteLostError)
    const last = await open(storages[name], other)
    expect(last.offset()).toBe(0)
    await last.append(bytesOf(LARGE))
    await last.finish()
    expect((await readSource(deps, videoId)).equals(LARGE)).toBe(true)
  })
})

it('of a file that is shorter than what is stored of it is forgotten', async () => {
  const { open } = await newSource(storages.folder)
  const first = await open()
  await first.append(bytesOf(LARGE.subarray(0, PART + 1)))
  await first.release()
  await expect((await open()).finish()).rejects.toThrow('shorter')
  expect((await open()).offset()).toBe(0)
})

it('is copied by no writer that another one has overtaken', async () => {
  const { videoId, open } = await newSource(storages.folder)
  const first = await open()
  await first.append(bytesOf(LARGE.subarray(0, PART + MIB)))
  const { partial } = storages.folder
  const [hasCopied, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const resume: typeof partial.resume = async (...of) => {
    const taken = await partial.resume(...of)
    hasCopied.resolve()
    await mayGoOn.promise
    return taken
  }
  const overtaken = open({ ...storages.folder, partial: { ...partial, resume } })
  const ended = expect(overtaken).rejects.toThrow(SourceWriteLostError)
  await hasCopied.promise
  const last = await open()
  mayGoOn.resolve()
  await ended
  const files = await readdir(join(fixture.folder, 'objects', '.tmp'))
  expect(files.filter((name) => name.includes(videoId))).toHaveLength(1)
  await last.append(bytesOf(LARGE, last.offset()))
  expect(await last.finish()).toMatchObject({ sizeBytes: LARGE.length })
})

describe('a source whose writers are killed', () => {
  it('at every step is whole in the end', async () => {
    // Each round ends one call later, before it or after it.
    for (const isDone of someOf([true, false], 2)) {
      const { videoId, deps, open } = await newSource(storages.folder)
      for (let step = 1; ; step += 1) {
        try {
          const writer = await open(failingStorage(storages.folder, step, isDone))
          await writer.append(bytesOf(LARGE, writer.offset(), MIB))
          await writer.finish()
          break
        } catch (error) {
          expect(String(error)).toContain('killed')
          // The object is there: a retry would find it before it opens a writer.
          if (await deps.storage.stat(sourceKey(videoId))) break
        }
      }
      expect((await readSource(deps, videoId)).equals(LARGE)).toBe(true)
    }
  })

  it('is not copied if they let it go, and not written once its video has ended', async () => {
    const { videoId, deps, open } = await newSource(storages.folder)
    const first = await open()
    await first.append(bytesOf(LARGE))
    await first.release()
    const before = (await rowOf(videoId))?.objectId
    const second = await open()
    expect((await rowOf(videoId))?.objectId).toBe(before)
    await deps.db.em.fork().nativeUpdate(Video, { id: videoId }, { deletedAt: new Date() })
    await forgetSource(deps.db.em.fork(), videoId)
    await second.append(bytesOf(LARGE, second.offset()))
    await expect(second.finish()).rejects.toThrow(SourceWriteLostError)
    await expect(open()).rejects.toMatchObject({ code: 'video_gone' })
    expect(await rowOf(videoId)).toBeNull()
  })
})
