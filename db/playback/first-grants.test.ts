import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { insertPublishedVideo } from '../../test/fixtures/published-video.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { openDatabase, type Database } from '../database.ts'
import { PlaybackSession } from '../entities/event.ts'
import { grantKeys } from './write-playback-sessions.ts'

const ROUNDS = 200
/** A page asks for the keys of video and audio at once. */
const AT_ONCE = 8

let testDatabase: TestDatabase
let db: Database

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  db = await openDatabase({ url: testDatabase.url, poolSize: AT_ONCE })
})
afterAll(async () => {
  await db?.close(true)
  await testDatabase?.drop()
})

it('The first grants of a session that meet are all given, and counted', async () => {
  const keys = {
    masterKeys: parseMasterKeys(randomBytes(32).toString('hex')),
    signingSecret: randomBytes(32).toString('hex'),
  }
  const { videoId, accountId, keyId } = await insertPublishedVideo(db, keys, { title: 'x' })
  for (let round = 0; round < ROUNDS; round += 1) {
    const session = {
      sessionId: randomUUID(),
      videoId,
      accountId,
      viewerId: 'ann',
      secretVersion: 1,
      refererHost: null,
      startedAtMs: Date.now(),
    }
    const granted = await Promise.all(
      Array.from({ length: AT_ONCE }, () => grantKeys(db, session, null, [keyId.toString('hex')])),
    )
    expect(granted).not.toContain(null)
  }
  const rows = await db.em.fork().find(PlaybackSession, {})
  expect(rows.map(({ keyGrants }) => keyGrants)).toEqual(rows.map(() => AT_ONCE))
  expect(rows).toHaveLength(ROUNDS)
})
