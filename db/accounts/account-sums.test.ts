import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeCaption } from '../../commands/captions/captions.ts'
import { failVideo } from '../../commands/ingest/fail-video.ts'
import { IngestRefusal } from '../../commands/ingest/ingest-refusal.ts'
import { reserveForDownload, reserveStorage } from '../../commands/ingest/reserve-storage.ts'
import { Refusal } from '../../commands/refusal.ts'
import { acceptVideo } from '../../commands/videos/accept-video.ts'
import { deleteVideos } from '../../commands/videos/many-videos.ts'
import { transitionVideo } from '../../commands/videos/transition-video.ts'
import { VIDEO_STATUSES } from '../../domain/videos/video-state.ts'
import { waitForLock } from '../../test/fixtures/locks.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { openDatabase, type Database, type EntityManager } from '../database.ts'
import { countMatches } from '../videos/video-matches.ts'
import { deleteCaptionRow } from '../videos/write-annotations.ts'
import { updateVideo } from '../videos/write-videos.ts'
import { listKeptAccounts, listUncountedAccounts, readSums } from './account-sums.ts'
import { readStorage } from './accounts.ts'
import { countAccount, foldDeltas, repairSums } from './write-account-sums.ts'
import { insertAccount } from './write-accounts.ts'

let testDatabase: TestDatabase
let db: Database

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  db = await openDatabase({ url: testDatabase.url, poolSize: 8 })
})
afterAll(async () => {
  await db.close(true)
  await testDatabase.drop()
})

const em = () => db.em.fork()
const makeAccount = (storageLimitBytes: number | null): Promise<number> =>
  insertAccount(em(), {
    name: 'Test',
    protection: 'clearkey',
    storageLimitBytes,
    sealSigningSecret: () => 'sealed',
  })

/** An account as it is after the migration, when nothing has counted it yet. */
const forgetSums = (accountId: number) =>
  em().execute('delete from account_sum where account_id = ?', [accountId])

/** The sums by the rows, in words that the product does not share. */
async function trueSums(accountId: number) {
  const [row] = await em().execute<Record<string, number>[]>(
    `select coalesce(sum(size_bytes), 0)::bigint as "usedBytes",
       coalesce(sum(reserved_bytes), 0)::bigint as "reservedBytes",
       (select coalesce(sum(size_bytes), 0)::bigint from caption
         where video_id in (select id from video where account_id = ?)) as "captionBytes",
       ${VIDEO_STATUSES.map((status) => `count(case status when '${status}' then 1 end) as "${status}"`).join(', ')}
     from video where account_id = ? and deleted_at is null`,
    [accountId, accountId],
  )
  return row
}

async function keptSums(accountId: number) {
  const { counts, ...sums } = await readSums(em(), accountId)
  return { ...sums, ...Object.fromEntries(counts) }
}

const expectTruth = async (accountId: number) =>
  expect(await keptSums(accountId)).toEqual(await trueSums(accountId))

const accept = (tx: EntityManager, accountId: number, sizeBytes: number) =>
  acceptVideo(tx, {
    accountId,
    sizeBytes,
    hasDrmProvider: false,
    sourceUrl: 'https://files.example/video.mp4',
    title: 'Opening night',
    description: '',
    folderId: null,
  })

const addVideo = (accountId: number, sizeBytes = 0) =>
  em().transactional((tx) => accept(tx, accountId, sizeBytes))

interface Step {
  accountId: number
  /** The videos of the run so far; steps add to it. */
  ids: string[]
  /** Chooses one of them. */
  at: number
  bytes: number
}

class RolledBack extends Error {}

/** What may happen to an account, each as its own transaction. */
const STEPS = {
  async accept({ accountId, ids, bytes }) {
    ids.push((await addVideo(accountId, bytes)).id)
  },
  async 'accept and roll back'({ accountId, bytes }) {
    await em().transactional(async (tx) => {
      await accept(tx, accountId, bytes)
      throw new RolledBack()
    })
  },
  async download({ accountId, ids, at, bytes }) {
    const need = { neededBytes: bytes, wantedBytes: 2 * bytes, isSettled: at % 2 === 0 }
    await reserveForDownload(em(), { id: pick(ids, at), accountId }, need)
  },
  async 'record a chunk'({ accountId, ids, at, bytes }) {
    const id = pick(ids, at)
    await em().transactional(async (tx) => {
      await reserveStorage(tx, { id, accountId }, bytes)
      await transitionVideo(tx, id, at % 2 === 0 ? 'processing' : 'playable')
    })
  },
  async finish({ accountId, ids, at, bytes }) {
    const id = pick(ids, at)
    await em().transactional((tx) => reserveStorage(tx, { id, accountId }, bytes))
    await transitionVideo(em(), id, 'playable')
    await transitionVideo(em(), id, 'ready', { sizeBytes: bytes, reservedBytes: 0 })
  },
  async fail({ ids, at }) {
    await failVideo(em(), pick(ids, at), { code: 'source_damaged', message: 'Damaged.' })
  },
  async rename({ ids, at }) {
    await updateVideo(em(), pick(ids, at), { title: String(at) })
  },
  async delete({ accountId, ids, at }) {
    await em().transactional((tx) => deleteVideos(tx, accountId, [pick(ids, at)]))
  },
  async 'delete several'({ accountId, ids, at }) {
    await em().transactional((tx) => deleteVideos(tx, accountId, ids.slice(0, at % 4)))
  },
  async 'write a caption'({ accountId, ids, at, bytes }) {
    const caption = { languageCode: 'en', label: 'English', content: 'x'.repeat(bytes) }
    await em().transactional((tx) =>
      writeCaption(tx, accountId, { videoId: pick(ids, at), ...caption }),
    )
  },
  async 'delete a caption'({ ids, at }) {
    await deleteCaptionRow(em(), pick(ids, at), 'en')
  },
  async count({ accountId }) {
    await countAccount(em(), accountId)
  },
  async fold({ at }) {
    await foldDeltas(em(), 1 + at)
  },
  async repair({ accountId }) {
    expect(await repairSums(em(), accountId)).toBeNull()
  },
} satisfies Record<string, (step: Step) => Promise<void>>

const pick = (ids: string[], at: number): string => ids[at % ids.length] ?? ''

/** Runs a step; the limit and the state of a video may refuse it. */
const attempt = async (name: keyof typeof STEPS, step: Step): Promise<void> => {
  try {
    await STEPS[name](step)
  } catch (error) {
    const isExpected = [Refusal, IngestRefusal, RolledBack].some((kind) => error instanceof kind)
    if (!isExpected) throw error
  }
}

const LIMIT = 3000
const steps = fc.array(
  fc.record({
    name: fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[])),
    at: fc.nat({ max: 7 }),
    bytes: fc.nat({ max: 900 }),
  }),
  { minLength: 20, maxLength: 60 },
)
const runs = fc.record({
  steps,
  /** How many run at the same time. */
  width: fc.constantFrom(1, 4, 8),
  isCounted: fc.boolean(),
  isLimited: fc.boolean(),
})

describe('the sums of an account', () => {
  it('are those of its rows after any changes, folds and repairs at once, and never exceed the limit', async () => {
    await fc.assert(
      fc.asyncProperty(runs, async ({ steps: given, width, isCounted, isLimited }) => {
        const accountId = await makeAccount(isLimited ? LIMIT : null)
        if (!isCounted) await forgetSums(accountId)
        const ids = [(await addVideo(accountId)).id]
        for (let start = 0; start < given.length; start += width) {
          const batch = given.slice(start, start + width)
          await Promise.all(
            batch.map(({ name, ...step }) => attempt(name, { accountId, ids, ...step })),
          )
          const { usedBytes, reservedBytes } = await readStorage(em(), accountId)
          if (isLimited) expect(usedBytes + reservedBytes).toBeLessThanOrEqual(LIMIT)
          await expectTruth(accountId)
        }
        await countAccount(em(), accountId)
        await foldDeltas(em(), 1000)
        await expectTruth(accountId)
        expect(await repairSums(em(), accountId)).toBeNull()
      }),
      { numRuns: 15 },
    )
  })

  it('lose nothing when a process is killed between the deltas and the fold', async () => {
    const accountId = await makeAccount(null)
    await addVideo(accountId, 700)
    const killed = em().transactional(async (tx) => {
      expect(await foldDeltas(tx, 1000)).toBeGreaterThan(0)
      await tx.execute('select pg_terminate_backend(pg_backend_pid())')
    })
    await expect(killed).rejects.toThrow()
    expect(await readSums(em(), accountId)).toMatchObject({ reservedBytes: 700 })
    await foldDeltas(em(), 1000)
    expect(await readSums(em(), accountId)).toMatchObject({ reservedBytes: 700 })
  })

  it('are repaired beside a change and a fold, and the drift is returned', async () => {
    const accountId = await makeAccount(null)
    await addVideo(accountId, 700)
    await em().execute(
      'update account_sum set used_bytes = 5, queued_count = -1 where account_id = ?',
      [accountId],
    )
    await em().transactional(async (tx) => {
      await accept(tx, accountId, 11)
      expect(await repairSums(em(), accountId)).toEqual({ used_bytes: 5, queued_count: -1 })
    })
    await expectTruth(accountId)
    await em().execute('update account_sum set ready_count = 9 where account_id = ?', [accountId])
    // A fold that commits while the repair waits for its row: what the repair has counted is not current any more.
    let repair: Promise<unknown> = Promise.resolve()
    await em().transactional(async (tx) => {
      await foldDeltas(tx, 1000)
      repair = repairSums(em(), accountId)
      await waitForLock({ execute: (query) => em().execute(query) })
    })
    expect(await repair).toBeNull()
    expect(await repairSums(em(), accountId)).toEqual({ ready_count: 9 })
    await expectTruth(accountId)
  })

  it('are counted from the rows until they are kept', async () => {
    const accountId = await makeAccount(1000)
    await addVideo(accountId, 700)
    await forgetSums(accountId)
    expect(await listUncountedAccounts(em(), 0, 1000)).toContain(accountId)
    expect(await readSums(em(), accountId)).toMatchObject({ reservedBytes: 700 })
    await expect(addVideo(accountId, 301)).rejects.toMatchObject({ code: 'insufficient_storage' })
    await countAccount(em(), accountId)
    expect(await listUncountedAccounts(em(), 0, 1000)).not.toContain(accountId)
    expect(await listKeptAccounts(em(), accountId - 1, 1)).toEqual([accountId])
    await expectTruth(accountId)
  })

  it('are the counts of the list of videos, without a read of them', async () => {
    const accountId = await makeAccount(null)
    await addVideo(accountId)
    await em().execute('update account_sum set ready_count = 41 where account_id = ?', [accountId])
    const { total, byStatus } = await countMatches(em(), { accountId })
    expect({ total, byStatus: [...(byStatus ?? [])] }).toEqual({
      total: 42,
      byStatus: [
        ['queued', 1],
        ['ready', 41],
      ],
    })
  })

  it('cost one row for a statement that deletes many videos', async () => {
    const accountId = await makeAccount(null)
    const ids = await Promise.all([1, 2, 3].map(async () => (await addVideo(accountId, 5)).id))
    await foldDeltas(em(), 1000)
    await em().transactional((tx) => deleteVideos(tx, accountId, ids))
    const deltas = await em().execute(
      'select reserved_bytes as bytes, queued_count as count from account_sum_delta where account_id = ?',
      [accountId],
    )
    expect(deltas).toEqual([{ bytes: -15, count: -3 }])
  })
})

describe('an account without a limit', () => {
  it('accepts and reserves while its plan is locked', async () => {
    const accountId = await makeAccount(null)
    await em().transactional(async (tx) => {
      await tx.execute('select 1 from plan where account_id = ? for update', [accountId])
      const { id } = await addVideo(accountId, 5)
      await em().transactional((other) => reserveStorage(other, { id, accountId }, 2 ** 40))
    })
    expect(await readSums(em(), accountId)).toMatchObject({ reservedBytes: 2 ** 40 })
  })
})
