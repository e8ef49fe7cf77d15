import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAudience } from '../../api/audience/read-audience.ts'
import { isOnlyCounter } from '../../db/audience/audience-lock.ts'
import { readBreakdown } from '../../db/audience/read-breakdowns.ts'
import { addToDays, addToHours, addToValues } from '../../db/audience/write-audience-sums.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { queries } from '../../db/queries.ts'
import { ALL_VIDEOS } from '../../domain/audience/fold-sessions.ts'
import type { DayRange } from '../../domain/audience/ranges.ts'
import { noTotals } from '../../domain/audience/totals.ts'
import { utcDay } from '../../domain/timestamps.ts'
import { insertSealedAccountFixture } from '../../test/fixtures/account.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { addToSketches } from './add-to-sketches.ts'
import { closeMonths, reopenMonths } from './close-months.ts'

const DAY_MS = 86_400_000
const FIRST_DAY = Date.parse('2025-01-17') / DAY_MS
const DAYS = 300
const NOW_MS = (FIRST_DAY + DAYS) * DAY_MS
const VIDEOS = [ALL_VIDEOS, 'video-1', 'video-2']
const dayAt = (place: number): string => utcDay((FIRST_DAY + place) * DAY_MS)

let testDatabase: TestDatabase
let db: Database
const accounts: number[] = []

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  db = await openDatabase({ url: testDatabase.url, poolSize: 3 })
  // The last one has no plays.
  for (let at = 0; at < 3; at += 1) accounts.push(await insertSealedAccountFixture(db))
  for (const accountId of accounts.slice(0, 2))
    for (const place of Array.from({ length: 100 }, () => randomInt(DAYS)))
      await addPlays(accountId, place)
})
afterAll(async () => {
  await db?.close(true)
  await testDatabase?.drop()
})

/** Adds some plays of a day, as the count does. */
const addPlays = (accountId: number, place: number) =>
  db.em.fork().transactional(async (tx) => {
    await isOnlyCounter(tx)
    const day = FIRST_DAY + place
    for (const videoId of [ALL_VIDEOS, `video-${1 + randomInt(2)}`]) {
      const of = { accountId, videoId, day }
      const plays = 1 + randomInt(20)
      const totals = { ...noTotals(), plays, watchedMs: plays * 5_000, errors: randomInt(2) }
      const hours = [{ accountId, videoId, hour: day * 24 + randomInt(24), totals }]
      await addToHours(tx, hours)
      await addToDays(tx, [{ ...of, totals, viewerDays: 1 }])
      await addToValues(tx, [
        { ...of, kind: 'host', value: `h${randomInt(4)}.example`, plays, watchedMs: plays },
        { ...of, kind: 'startup', value: String(100 * randomInt(9)), plays, watchedMs: 0 },
      ])
      await addToSketches(tx, [{ ...of, viewerId: `viewer-${randomInt(500)}` }])
      await sql`insert into audience_peak values (${accountId}, ${videoId}, ${utcDay(day * DAY_MS)}::date, ${plays}, now())
        on conflict (account_id, video_id, day) do update set sessions = greatest(audience_peak.sessions, excluded.sessions)`.execute(
        queries(tx),
      )
      await reopenMonths(tx, hours, NOW_MS)
    }
  })

const RANGES: DayRange[] = [
  { from: dayAt(0), to: dayAt(DAYS - 1) },
  { from: '2025-03-01', to: '2025-05-31' },
  ...Array.from({ length: 5 }, () => {
    const [from = 0, to = 0] = [randomInt(DAYS), randomInt(DAYS)].toSorted((a, b) => a - b)
    return { from: dayAt(from), to: dayAt(to) }
  }),
]

/** All that is shown of the ranges. */
async function readAll(): Promise<unknown[]> {
  const read: unknown[] = []
  for (const accountId of accounts)
    for (const videoId of VIDEOS)
      for (const range of RANGES) {
        const of = { accountId, videoId, ...range }
        const question = { ...of, videoId: videoId === ALL_VIDEOS ? null : videoId }
        const monthly = await readAudience(db.em.fork(), { ...question, interval: 'month' })
        const daily = await readAudience(db.em.fork(), { ...question, interval: 'day' })
        expect([monthly.range, monthly.previous]).toEqual([daily.range, daily.previous])
        read.push(daily, monthly.range, await readBreakdown(db.em.fork(), of, 'host', 3))
      }
  return read
}

async function closeAll(limit: number): Promise<number> {
  let batches = 0
  while (await closeMonths(db.em.fork(), limit, NOW_MS)) batches += 1
  return batches
}

const countMonths = async (): Promise<number> => {
  const rows = await db.em.fork().execute<unknown[]>('select from audience_month')
  return rows.length
}

describe('a month that is over', () => {
  it('is read by one row, which says what its days say, however few are written at once', async () => {
    const before = await readAll()
    await closeAll(2)
    const months = await countMonths()
    expect(months).toBeGreaterThan(40)
    expect(await readAll()).toEqual(before)
    expect(await closeAll(100)).toBe(0)
    expect(await countMonths()).toBe(months)
    const [last] = await db.em
      .fork()
      .execute<{ month: string }[]>('select max(month)::text as month from audience_month')
    expect(last?.month).toBe('2025-10-01')
  })

  it('is read by its days again when a session is counted late', async () => {
    const [accountId = 0] = accounts
    await addPlays(accountId, 45)
    const rows = await db.em
      .fork()
      .execute<unknown[]>('select from audience_month where account_id = ? and month = ?', [
        accountId,
        '2025-03-01',
      ])
    expect(rows.length).toBeLessThan(VIDEOS.length)
    const after = await readAll()
    await sql`delete from audience_month`.execute(queries(db.em.fork()))
    expect(await readAll()).toEqual(after)
  })

  it('is not written while sessions are counted', async () => {
    await sql`update account set audience_closed_before = null`.execute(queries(db.em.fork()))
    await db.em.fork().transactional(async (tx) => {
      await isOnlyCounter(tx)
      expect(await closeMonths(db.em.fork(), 10, NOW_MS)).toBe(false)
    })
    expect(await closeMonths(db.em.fork(), 10, NOW_MS)).toBe(true)
  })
})
