import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endUploads } from '../activities/upkeep/end-uploads.ts'
import { cancelUpload, expireUpload } from '../commands/uploads/end-upload.ts'
import { readSums } from '../db/accounts/account-sums.ts'
import { Video } from '../db/entities/video.ts'
import { findUpload, type UploadDetails } from '../db/uploads/uploads.ts'
import { sourcePrefix } from '../domain/videos/media-paths.ts'
import { createStorage, type ObjectStorage } from '../storage/object-storage.ts'
import { failingStorage } from '../test/fixtures/failing-storage.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../test/fixtures/ingest.ts'
import { readSource } from '../test/fixtures/stored-source.ts'
import { makeUpload } from '../test/fixtures/upload.ts'
import { runs } from '../test/infrastructure/every-case.ts'
import { s3Server } from '../test/infrastructure/services.ts'
import { receiveUpload } from './receive-upload.ts'

const MIB = 1 << 20
const SIZES = [0, 1, 1_000, MIB, 5 * MIB + 3, 16 * MIB, 17 * MIB]

let fixture: IngestFixture
let storages: Record<'folder' | 's3', ObjectStorage>

beforeAll(async () => {
  fixture = await openIngestFixture()
  storages = { folder: fixture.deps.storage, s3: createStorage(await s3Server()) }
})
afterAll(() => fixture.close())

/** What a client, an owner or a fault does to an upload. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('send' as const), size: fc.constantFrom(...SIZES) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('cut' as const), size: fc.constantFrom(...SIZES) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('kill' as const),
      size: fc.constantFrom(...SIZES),
      after: fc.integer({ min: 1, max: 6 }),
      isDone: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('two' as const), size: fc.constantFrom(...SIZES) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('elsewhere' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const FILE = randomBytes(34 * MIB + 11)

async function* chunksOf(body: Buffer, cutAfter = Infinity): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += 300_007) {
    if (at > cutAfter) throw new Error('the connection is gone')
    yield body.subarray(at, at + 300_007)
    await Promise.resolve()
  }
  if (cutAfter < Infinity) throw new Error('the connection is gone')
}

describe.each(['folder', 's3'] as const)('an upload to the storage %s', (name) => {
  const open = async (sizeBytes: number | null) => {
    const { accountId } = await fixture.addVideo()
    const deps = { ...fixture.deps, storage: storages[name], hasDrmProvider: false }
    const made = await makeUpload(deps, accountId, { sizeBytes })
    const read = async (): Promise<UploadDetails> => {
      const upload = await findUpload(deps.db.em.fork(), accountId, made.id)
      if (!upload) throw new Error('the upload is gone')
      return upload
    }
    const send = async (from: number, body: AsyncIterable<Buffer>, storage = deps.storage) => {
      const arriving = { body, startByte: from, sizeBytes: null, bodyBytes: null }
      return receiveUpload({ ...deps, storage }, await read(), arriving).then(
        () => true,
        () => false,
      )
    }
    const reserved = async () => (await readSums(deps.db.em.fork(), accountId)).reservedBytes
    const keys = async () => {
      const found: string[] = []
      for await (const { key } of deps.storage.list(sourcePrefix(made.videoId))) found.push(key)
      return found
    }
    return { deps, accountId, made, read, send, reserved, keys }
  }

  const take = async (t: Awaited<ReturnType<typeof open>>, one: Step): Promise<void> => {
    const { offsetBytes: from } = await t.read()
    const part = (size: number) => FILE.subarray(from, Math.min(from + size, FILE.length))
    switch (one.kind) {
      case 'send':
        expect(await t.send(from, chunksOf(part(one.size)))).toBe(true)
        expect((await t.read()).offsetBytes).toBe(from + part(one.size).length)
        return
      case 'cut':
        await t.send(from, chunksOf(part(one.size), one.size / 2))
        return
      case 'kill':
        await t.send(
          from,
          chunksOf(part(one.size)),
          failingStorage(t.deps.storage, one.after, one.isDone),
        )
        return
      case 'two':
        await Promise.all([1, 2].map(() => t.send(from, chunksOf(part(one.size)))))
        return
      case 'elsewhere':
        expect(await t.send(from + 1, chunksOf(part(1_000)))).toBe(false)
    }
  }

  it('has the bytes of the file in the end, whatever happened to its requests, and reserves its size until then', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        const t = await open(FILE.length)
        const before = (await t.reserved()) - FILE.length
        for (const one of steps) {
          const { status, offsetBytes } = await t.read()
          if (status === 'complete') break
          await take(t, one)
          const after = await t.read()
          // What a client was told never becomes less.
          expect(after.offsetBytes).toBeGreaterThanOrEqual(offsetBytes)
          expect(await t.reserved()).toBe(before + FILE.length)
        }
        for (let tries = 0; (await t.read()).status !== 'complete'; tries += 1) {
          expect(tries).toBeLessThan(5)
          const { offsetBytes } = await t.read()
          await t.send(offsetBytes, chunksOf(FILE.subarray(offsetBytes)))
        }
        expect((await readSource(t.deps, t.made.videoId)).equals(FILE)).toBe(true)
        expect(await t.keys()).toEqual([`${sourcePrefix(t.made.videoId)}source`])
        expect(await t.deps.db.em.fork().count(Video, { id: t.made.videoId })).toBe(1)
        await t.deps.storage.deletePrefix(sourcePrefix(t.made.videoId))
      }),
      runs(2, 20),
    )
  }, 600_000)

  it('leaves no object, no row of its parts and no reservation when it is cancelled or expires at any point', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 3 }),
        fc.boolean(),
        async (steps, isCancelled) => {
          const t = await open(FILE.length)
          const before = (await t.reserved()) - FILE.length
          for (const one of steps) if ((await t.read()).status !== 'complete') await take(t, one)
          const { id } = t.made
          const em = () => t.deps.db.em.fork()
          if ((await t.read()).status === 'complete') return
          if (isCancelled) await em().transactional((tx) => cancelUpload(tx, t.accountId, id))
          else {
            await em().execute(
              `update upload set received_at = now() - interval '2 hours' where id = ?`,
              [id],
            )
            expect(await expireUpload(em(), id)).toBe(true)
          }
          expect(
            await t.send((await t.read()).offsetBytes, chunksOf(FILE.subarray(0, 1_000))),
          ).toBe(false)
          // A run that is killed, and the next one.
          await runActivity(endUploads, {
            ...t.deps,
            storage: failingStorage(t.deps.storage, 1, true),
          }).catch(() => {})
          await runActivity(endUploads, t.deps)
          expect(await t.keys()).toEqual([])
          expect(await t.reserved()).toBe(before)
        },
      ),
      runs(3, 20),
    )
  }, 600_000)
})
