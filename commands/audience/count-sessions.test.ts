import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../db/database.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { countAll, sendBeats } from '../../test/audience/count-all.ts'
import { expectedAudience } from '../../test/audience/oracle.ts'
import { differences, storedAudience } from '../../test/audience/stored-audience.ts'
import {
  diceOf,
  syntheticSession,
  type SyntheticVideo,
} from '../../test/audience/synthetic-sessions.ts'
import { insertPublishedVideo } from '../../test/fixtures/published-video.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'

let testDatabase: TestDatabase
let db: Database
const videos: SyntheticVideo[] = []

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  db = await openDatabase({ url: testDatabase.url, poolSize: 4 })
  const secrets = {
    masterKeys: parseMasterKeys(randomBytes(32).toString('hex')),
    signingSecret: randomBytes(32).toString('hex'),
  }
  for (const durationMs of [60_000, 600_000, 3_600_000]) {
    const { videoId, accountId } = await insertPublishedVideo(db, secrets, {
      title: 'x',
      durationMs,
    })
    videos.push({ videoId, accountId, durationMs })
  }
})
afterAll(async () => {
  await db?.close(true)
  await testDatabase?.drop()
})

describe('the sums of the audience', () => {
  it('are those of an oracle, however beats are lost, repeated and overtaken, and whenever sessions are counted', async () => {
    const dice = diceOf(46)
    const nowMs = Date.now()
    const sessions = Array.from({ length: 400 }, () =>
      syntheticSession(dice, videos, { nowMs, viewers: 60 }),
    )
    await sendBeats(db, sessions, () => countAll(db))
    const truths = sessions.map(({ truth }) => truth)
    expect(differences(await storedAudience(db), expectedAudience(truths))).toEqual([])
    expect(await countAll(db)).toBe(0)
  })
})
