import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRangeSketches } from '../../db/audience/sketches.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { queries } from '../../db/queries.ts'
import type { FirstPlay } from '../../domain/audience/days-of.ts'
import { ALL_VIDEOS } from '../../domain/audience/fold-sessions.ts'
import { emptySketch, uniteStored } from '../../domain/audience/viewer-sketch.ts'
import { utcDay } from '../../domain/timestamps.ts'
import { insertSealedAccountFixture } from '../../test/fixtures/account.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { addToSketches } from './add-to-sketches.ts'

const FIRST_DAY = Date.parse('2025-01-17') / 86_400_000
const DAYS = 400
const dayOf = (place: number): string => utcDay((FIRST_DAY + place) * 86_400_000)

let testDatabase: TestDatabase
let db: Database
let accountId: number

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  db = await openDatabase({ url: testDatabase.url, poolSize: 2 })
  accountId = await insertSealedAccountFixture(db)
})
afterAll(async () => {
  await db?.close(true)
  await testDatabase?.drop()
})

const add = (plays: FirstPlay[]) => db.em.fork().transactional((tx) => addToSketches(tx, plays))

const playOn = (place: number): FirstPlay => ({
  accountId,
  videoId: ALL_VIDEOS,
  day: FIRST_DAY + place,
  viewerId: `viewer-${randomInt(5_000)}`,
})

const unite = (sketches: readonly Uint8Array[]) => {
  const all = emptySketch()
  for (const sketch of sketches) uniteStored(all, sketch)
  return all
}

describe('the sketches of a range', () => {
  it('have the viewers of its days, in whatever order they are counted, with and without those of months', async () => {
    // As a release without sketches of months leaves them.
    await add(Array.from({ length: 2_000 }, () => playOn(randomInt(DAYS / 2))))
    await sql`delete from audience_month_sketch`.execute(queries(db.em.fork()))
    for (let batch = 0; batch < 20; batch += 1)
      await add(Array.from({ length: 100 }, () => playOn(randomInt(DAYS / 4, DAYS))))

    const { rows } = await sql<{ day: string; sketch: Uint8Array }>`
      select day::text, sketch from audience_sketch where account_id = ${accountId}`.execute(
      queries(db.em.fork()).withoutPlugins(),
    )
    for (let round = 0; round < 60; round += 1) {
      const from = dayOf(round === 0 ? 0 : randomInt(DAYS - 1))
      const to = round === 0 ? dayOf(DAYS - 1) : [from, dayOf(randomInt(DAYS))].toSorted()[1]
      const range = { accountId, videoId: ALL_VIDEOS, from, to: to ?? from }
      const days = rows.filter(({ day }) => day >= range.from && day <= range.to)
      const read = await readRangeSketches(db.em.fork(), range)
      expect(unite(read), `${range.from} to ${range.to}`).toEqual(
        unite(days.map(({ sketch }) => sketch)),
      )
    }
  })

  it('are few, however long the range is', async () => {
    await add(Array.from({ length: DAYS }, (_, place) => playOn(place)))
    const range = { accountId, videoId: ALL_VIDEOS, from: dayOf(0), to: dayOf(DAYS - 1) }
    expect((await readRangeSketches(db.em.fork(), range)).length).toBeLessThan(13 + 2 * 30)
  })
})
