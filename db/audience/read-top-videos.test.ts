import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noTotals } from '../../domain/audience/totals.ts'
import { utcDay } from '../../domain/timestamps.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { diceOf } from '../../test/audience/synthetic-sessions.ts'
import { insertPublishedVideo } from '../../test/fixtures/published-video.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { openDatabase, type Database } from '../database.ts'
import { readTopVideos } from './read-top-videos.ts'
import { addToDays } from './write-audience-sums.ts'

const DAY_MS = 86_400_000
const FIRST_DAY = 20_700
const DAYS = 12
/** How often a video is watched on a day, from always to hardly ever. */
const SHARES = [1, 0.9, 0.5, 0.2, 0.1, 0.05]

let testDatabase: TestDatabase
let db: Database
let accountId: number
const watched: { videoId: string; day: number; plays: number; watchedMs: number }[] = []

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  db = await openDatabase({ url: testDatabase.url, poolSize: 1 })
  const secrets = {
    masterKeys: parseMasterKeys(randomBytes(32).toString('hex')),
    signingSecret: randomBytes(32).toString('hex'),
  }
  const dice = diceOf(5)
  for (const share of SHARES.flatMap((one) => [one, one, one])) {
    const of = { title: 'x', ...(accountId !== undefined && { accountId }) }
    const inserted = await insertPublishedVideo(db, secrets, of)
    accountId ??= inserted.accountId
    for (let day = FIRST_DAY; day < FIRST_DAY + DAYS; day += 1)
      if (dice.share() < share)
        watched.push({
          videoId: inserted.videoId,
          day,
          plays: Math.floor(dice.share() * 9),
          watchedMs: Math.floor(dice.share() * 1e6),
        })
  }
  // In any order: a late session adds to a day that has passed.
  for (const { videoId, day, plays, watchedMs } of watched.toSorted(() => dice.share() - 0.5))
    await addToDays(db.em.fork(), [
      { accountId, videoId, day, totals: { ...noTotals(), plays, watchedMs }, viewerDays: 0 },
    ])
})
afterAll(async () => {
  await db?.close(true)
  await testDatabase?.drop()
})

/** Adds up what was watched, video by video. */
function expectedTop(from: number, to: number, order: 'plays' | 'watchedMs') {
  const sums = new Map<string, { videoId: string; plays: number; watchedMs: number }>()
  for (const { videoId, day, plays, watchedMs } of watched) {
    if (day < from || day > to) continue
    const sum = sums.get(videoId) ?? { videoId, plays: 0, watchedMs: 0 }
    sums.set(videoId, {
      videoId,
      plays: sum.plays + plays,
      watchedMs: sum.watchedMs + watchedMs,
    })
  }
  return [...sums.values()]
    .filter(({ plays }) => plays > 0)
    .toSorted((a, b) => b[order] - a[order] || (a.videoId < b.videoId ? -1 : 1))
    .slice(0, 10)
}

describe('the most watched videos', () => {
  it('are those of the days of any range, whether videos are watched each day or hardly ever', async () => {
    for (let from = FIRST_DAY - 1; from < FIRST_DAY + DAYS + 1; from += 1)
      for (let to = from; to < FIRST_DAY + DAYS + 2; to += 1)
        for (const order of ['plays', 'watchedMs'] as const) {
          const range = { accountId, from: utcDay(from * DAY_MS), to: utcDay(to * DAY_MS) }
          const rows = await readTopVideos(db.em.fork(), range, order, 10)
          const found = rows.map(({ videoId, plays, watchedMs }) => ({ videoId, plays, watchedMs }))
          expect(found, `${range.from} to ${range.to}`).toEqual(expectedTop(from, to, order))
        }
  })
})
