import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { openDatabase } from '../db/database.ts'
import { insertSealedAccountFixture } from '../test/fixtures/account.ts'
import { openDatabaseFixture } from '../test/fixtures/database.ts'
import type { DatabaseFixture } from '../test/fixtures/database.ts'
import { insertVideoFixture } from '../test/fixtures/video-rows.ts'
import { waitFor } from '../test/infrastructure/wait-for.ts'
import { createProgressRecorder, recordWaiting } from './record-progress.ts'

const logger = pino({ level: 'silent' })
let database: DatabaseFixture
let videoId: string

beforeAll(async () => {
  database = await openDatabaseFixture()
  const accountId = await insertSealedAccountFixture(database.db)
  videoId = await insertVideoFixture(database.db, { accountId, status: 'processing' })
})
afterAll(() => database?.close())

interface Row {
  stage: string
  fraction: number | null
}

async function rowOf(name: string): Promise<Row | undefined> {
  const rows = await database.execute<Row>(
    'select stage, fraction from ingest_progress where video_id = ? and name = ?',
    [videoId, name],
  )
  return rows[0]
}

describe('the progress of a step', () => {
  it('is recorded at most every two seconds', async () => {
    const record = createProgressRecorder({ db: database.db, logger }, videoId, '720p')
    const startedAtMs = performance.now()
    record(0.25)
    await waitFor('the first write', () => rowOf('720p'))
    await waitFor('the second write', async () => {
      record(0.5)
      return (await rowOf('720p'))?.fraction === 0.5
    })
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(2_000)
  })

  it('does not throw, and leaves a line in the log, when the database is away', async () => {
    const db = await openDatabase({
      url: 'postgres://nobody@127.0.0.1:1/none',
      deadlines: { connectMs: 100 },
    })
    const errors: unknown[] = []
    const heard = pino(
      { level: 'debug' },
      { write: (line: string) => void errors.push(JSON.parse(line)) },
    )
    createProgressRecorder({ db, logger: heard }, videoId, '480p')(0.5)
    await waitFor('the failed write', async () => errors.length > 0)
    await db.close(true)
  })

  it('waits until its step begins', async () => {
    recordWaiting({ db: database.db, logger }, videoId, ['240p'])
    await waitFor('the waiting step', () => rowOf('240p'))
    expect(await rowOf('240p')).toEqual({ stage: 'waiting', fraction: null })
  })
})
