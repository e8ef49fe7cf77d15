import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../db/database.ts'
import { readProgress } from '../../db/ingest/ingest-progress.ts'
import { stepsOf } from '../../domain/videos/video-progress.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { insertSealedAccountFixture } from '../../test/fixtures/account.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../../test/fixtures/database.ts'
import { beginVideo } from '../../test/fixtures/ingest-video.ts'
import { makeSource } from '../../test/fixtures/sources.ts'
import { insertVideoFixture } from '../../test/fixtures/video-rows.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { ingestProgressView } from '../../views/videos/ingest-progress.ts'
import { createProgressRecorder, recordWaiting } from './record-progress.ts'

const logger = pino({ level: 'silent' })
let database: DatabaseFixture
let accountId: number
let videoId: string

beforeAll(async () => {
  database = await openDatabaseFixture()
  accountId = await insertSealedAccountFixture(database.db)
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
  it('is recorded at most once a second', async () => {
    const { record } = createProgressRecorder(
      { db: database.db, logger },
      { videoId, names: ['720p'] },
    )
    const startedAtMs = performance.now()
    record(0.25)
    await waitFor('the first write', () => rowOf('720p'))
    await waitFor('the second write', async () => {
      record(0.5)
      return (await rowOf('720p'))?.fraction === 0.5
    })
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(1_000)
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
    const { record, settled } = createProgressRecorder(
      { db, logger: heard },
      { videoId, names: ['480p'] },
    )
    record(0.5)
    await settled(false)
    expect(errors).toHaveLength(1)
    await db.close(true)
  })

  it('of a part is complete when its activity has succeeded, but not after a failure', async () => {
    for (const [index, isDone] of [true, false].entries()) {
      const steps = { videoId, names: ['1080p'], part: { index, count: 2 } }
      const { record, settled } = createProgressRecorder({ db: database.db, logger }, steps)
      record(0.25)
      await settled(isDone)
    }
    const rows = await database.execute(
      `select part, fraction from ingest_progress where video_id = ? and name = '1080p' order by part`,
      [videoId],
    )
    expect(rows).toEqual([
      { part: 0, fraction: 1 },
      { part: 1, fraction: 0.25 },
    ])
  })

  it('waits until its step begins', async () => {
    await recordWaiting({ db: database.db, logger }, videoId, ['240p'])
    expect(await rowOf('240p')).toEqual({ stage: 'waiting', fraction: null })
  })
})

/** Reads again and again until the work has ended. */
async function whileReading(read: () => Promise<unknown>, work: Promise<void>): Promise<void> {
  let isRunning = true
  const ended = work.finally(() => (isRunning = false))
  while (isRunning) {
    await read()
    await sleep(20)
  }
  await ended
}

describe('a real ingest', () => {
  it('shows its steps while it runs, and none when the video is ready', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reelgate-progress-'))
    const source = join(folder, 'lesson.mp4')
    await makeSource(source, { seconds: 2, size: '640x360', grain: false })
    const video = await beginVideo(source, {
      db: database.db,
      masterKeys: parseMasterKeys(randomBytes(32).toString('hex')),
      storage: createStorage({ driver: 'folder', dir: join(folder, 'objects') }),
      workDir: join(folder, 'scratch'),
      accountId,
    })
    const percents: number[] = []
    const steps = async () => {
      const [recorded] = await readProgress(database.em(), accountId, [video.videoId])
      if (!recorded) return []
      const progress = ingestProgressView(recorded)
      percents.push(progress?.percent ?? NaN)
      expect(progress?.seconds_left ?? 0).toBeGreaterThanOrEqual(0)
      return stepsOf(recorded.rows, recorded.published)
    }
    const [first = '', ...others] = video.rungsLeft
    await waitFor('the rungs', async () => (await steps()).some(({ name }) => name === first))
    await whileReading(steps, video.publishNextRung())
    const during = await steps()
    expect(during).toContainEqual({ name: 'prepare', stage: 'done', fraction: 1 })
    expect(during).toContainEqual({ name: first, stage: 'done', fraction: 1 })
    for (const name of others)
      expect(during).toContainEqual({ name, stage: 'waiting', fraction: null })
    await whileReading(steps, video.finish())
    await steps()
    // It rises with each rung, and some steps are seen on their way.
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
    expect(new Set(percents).size).toBeGreaterThan(others.length + 2)
    expect(percents.at(-1)).toBe(100)
    const rows = await database.execute('select name from ingest_progress where video_id = ?', [
      video.videoId,
    ])
    expect(rows).toEqual([])
    await rm(folder, { recursive: true })
  })
})
