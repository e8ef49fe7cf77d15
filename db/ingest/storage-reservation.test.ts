import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { readStorage } from '../accounts/accounts.ts'
import { insertAccount } from '../accounts/write-accounts.ts'
import { openDatabase, type Database } from '../database.ts'
import { Video } from '../entities/video.ts'
import { readReservation } from './storage-reservation.ts'
import { growReservation, shrinkReservation } from './write-storage-reservation.ts'

let testDatabase: TestDatabase
/** The connections of two processes. */
let databases: [Database, Database]

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  const { url } = testDatabase
  databases = await Promise.all([
    openDatabase({ url, poolSize: 6 }),
    openDatabase({ url, poolSize: 6 }),
  ])
})
afterAll(async () => {
  await Promise.all(databases.map((db) => db.close(true)))
  await testDatabase.drop()
})

const em = () => databases[0].em.fork()
const makeAccount = (storageLimitBytes: number | null): Promise<number> =>
  insertAccount(em(), {
    name: 'Test',
    protection: 'clearkey',
    storageLimitBytes,
    sealSigningSecret: () => 'sealed',
  })

async function addVideo(accountId: number, more: Partial<Video> = {}) {
  const id = randomBytes(10).toString('hex')
  const row = { title: 'lesson', sourceUrl: 'https://x.example/', protection: 'clearkey' }
  await em().insert(Video, { id, accountId, ...row, ...more } as Video)
  return { id, accountId }
}

const grow = (video: { id: string; accountId: number }, needed: number, wanted = needed, at = 0) =>
  (databases[at] ?? databases[0]).em
    .fork()
    .transactional((tx) => growReservation(tx, video, needed, wanted))

const sumOf = async (accountId: number): Promise<number> => {
  const { usedBytes, reservedBytes } = await readStorage(em(), accountId)
  return usedBytes + reservedBytes
}

const LIMIT = 1000
const request = fc.record({
  at: fc.integer({ min: 0, max: 3 }),
  needed: fc.integer({ min: 0, max: 700 }),
  ahead: fc.integer({ min: 0, max: 300 }),
})

describe('the reservation of a video', () => {
  it('is the wanted size, or the free storage, or nothing if the free storage is too small', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 12 }), async (requests) => {
        const accountId = await makeAccount(LIMIT)
        await addVideo(accountId, { status: 'ready', sizeBytes: 100 })
        const videos = await Promise.all([0, 1, 2, 3].map(() => addVideo(accountId)))
        const model = videos.map(() => 0)
        for (const { at, needed, ahead } of requests) {
          const others = model.reduce((sum, held, other) => (other === at ? sum : sum + held), 100)
          const held = Math.max(model[at] ?? 0, Math.min(needed + ahead, LIMIT - others))
          const video = videos[at]
          if (!video) throw new Error('no such video')
          expect(await grow(video, needed, needed + ahead)).toBe(held < needed ? 'refused' : held)
          model[at] = held < needed ? 0 : held
        }
        expect(await sumOf(accountId)).toBe(model.reduce((sum, held) => sum + held, 100))
      }),
      { numRuns: 15 },
    )
  })

  it('never exceeds the limit in sum with the other reservations, even under concurrency', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 8, maxLength: 30 }), async (requests) => {
        const accountId = await makeAccount(LIMIT)
        const videos = await Promise.all([0, 1, 2, 3].map(() => addVideo(accountId)))
        const results = requests.map(async ({ at, needed, ahead }, place) => {
          const video = videos[at]
          if (!video) throw new Error('no such video')
          const result = await grow(video, needed, needed + ahead, place % 2)
          expect(await sumOf(accountId)).toBeLessThanOrEqual(LIMIT)
          return { result, needed }
        })
        for (const { result, needed } of await Promise.all(results))
          if (typeof result === 'number') expect(result).toBeGreaterThanOrEqual(needed)
        expect(await sumOf(accountId)).toBeLessThanOrEqual(LIMIT)
      }),
      { numRuns: 8 },
    )
  })

  it('is not limited if the plan has no limit', async () => {
    const video = await addVideo(await makeAccount(null))
    expect(await grow(video, 10, 2 ** 40)).toBe(2 ** 40)
  })

  it('keeps its bytes after the limit was lowered, and gets no more', async () => {
    const accountId = await makeAccount(LIMIT)
    const video = await addVideo(accountId, { reservedBytes: 600 })
    await em().execute('update plan set storage_limit_bytes = 500 where account_id = ?', [
      accountId,
    ])
    expect(await grow(video, 600, 800)).toBe(600)
    expect(await grow(video, 601)).toBe('refused')
  })

  it.each(['processing', 'playable'] as const)(
    'of a %s video stays if more is refused, and never shrinks',
    async (status) => {
      const video = await addVideo(await makeAccount(LIMIT), { status, reservedBytes: 600 })
      expect(await grow(video, 1001)).toBe('refused')
      await shrinkReservation(em(), video.id, 1)
      expect(await readReservation(em(), video.id)).toMatchObject({ reservedBytes: 600 })
    },
  )

  it.each<Partial<Video>>([{ status: 'ready' }, { status: 'failed' }, { deletedAt: new Date() }])(
    'is none if the video is %j',
    async (more) => {
      const accountId = await makeAccount(LIMIT)
      const video = await addVideo(accountId, more)
      expect(await grow(video, 10)).toBe('gone')
      expect(await sumOf(accountId)).toBe(0)
    },
  )
})
