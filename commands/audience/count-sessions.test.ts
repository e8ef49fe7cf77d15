import { randomBytes, randomUUID } from 'node:crypto'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countAudience } from '../../activities/upkeep/count-audience.ts'
import { countExperience } from '../../activities/upkeep/count-experience.ts'
import { fillViewerProgress } from '../../db/audience/write-progress-of-before.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { findPlayback } from '../../db/playback/playback.ts'
import { continueBackfill } from '../../db/upkeep/write-backfills.ts'
import type { PlaybackSession } from '../../domain/playback/playback-session.ts'
import { dashboardViewerId } from '../../domain/settings/preview-look.ts'
import { utcDay } from '../../domain/timestamps.ts'
import * as metrics from '../../metrics/audience.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { countAll, sendBeats } from '../../test/audience/count-all.ts'
import { expectedAudience } from '../../test/audience/oracle.ts'
import { differences, storedAudience } from '../../test/audience/stored-audience.ts'
import {
  diceOf,
  syntheticSession,
  type SyntheticVideo,
  type Truth,
} from '../../test/audience/synthetic-sessions.ts'
import { insertPublishedVideo } from '../../test/fixtures/published-video.ts'
import { recordHeartbeat } from '../../test/fixtures/record-heartbeat.ts'
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

/** The metrics of this process, each as its sum. */
async function measured(): Promise<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const [name, metric] of Object.entries(metrics)) {
    const { values } = await metric.get()
    const counts = values.filter(
      (one) => !('metricName' in one) || String(one.metricName).endsWith('_count'),
    )
    sums[name] = counts.reduce((sum, { value }) => sum + value, 0)
  }
  return sums
}

/** What sessions add to the metrics, computed from what they have watched. */
function expectedMetrics(truths: readonly Truth[]): Record<string, number> {
  const plays = truths.filter(({ watchedMs }) => watchedMs >= 3000)
  const seconds = (field: 'watchedMs' | 'mediaMs' | 'stalledMs') =>
    plays.reduce((sum, truth) => sum + truth[field], 0) / 1000
  return {
    plays: plays.length,
    playAttempts: truths.filter((one) => one.watchedMs >= 3000 || one.error !== null).length,
    playErrors: truths.filter(({ error }) => error !== null).length,
    watchedSeconds: seconds('watchedMs'),
    watchedMediaSeconds: seconds('mediaMs'),
    stalledSeconds: seconds('stalledMs'),
    stalledPlays: plays.filter(({ stalls }) => stalls > 0).length,
    firstFrameTime: plays.filter(({ firstFrameMs }) => firstFrameMs !== null).length,
  }
}

describe('the sums of the audience', () => {
  it('and the metrics are those of an oracle, however beats are lost, repeated and overtaken, and whenever sessions are counted', async () => {
    const dice = diceOf(46)
    const nowMs = Date.now()
    const sessions = Array.from({ length: 400 }, () =>
      syntheticSession(dice, videos, { nowMs, viewers: 60 }),
    )
    const before = await measured()
    const count = () => countAll(db, 50, 0, ({ experience }) => countExperience(experience))
    await sendBeats(db, sessions, count)
    const truths = sessions.map(({ truth }) => truth)
    const after = await measured()
    for (const [name, value] of Object.entries(expectedMetrics(truths)))
      expect((after[name] ?? 0) - (before[name] ?? 0), name).toBeCloseTo(value, 3)
    expect(differences(await storedAudience(db), expectedAudience(truths))).toEqual([])
    expect(await count()).toBe(0)
    expect(await measured()).toEqual(after)
  })
})

describe('a playback session', () => {
  const HOUR_MS = 3_600_000
  const sessionOf = (change: Partial<PlaybackSession> = {}): PlaybackSession => ({
    sessionId: randomUUID(),
    videoId: videos[0]?.videoId ?? '',
    accountId: videos[0]?.accountId ?? 0,
    viewerId: `only ${randomUUID()}`.slice(0, 30),
    secretVersion: 1,
    refererHost: null,
    startedAtMs: Date.now() - 2 * HOUR_MS,
    ...change,
  })
  const beat = (session: PlaybackSession, watchedMs: number, positionMs = 1_000) =>
    recordHeartbeat(db, session, null, { positionMs, watchedMs, bytesLoaded: null })
  const execute = <Row>(text: string, values: unknown[] = []) =>
    db.em.fork().execute<Row[]>(text, values)
  const progressOf = async ({ viewerId }: PlaybackSession) => {
    const columns = 'plays, watched_ms::int as "watchedMs", position_ms as "positionMs"'
    return execute(`select ${columns} from viewer_progress where viewer_id = ?`, [viewerId])
  }

  it('that goes on is counted each hour, as far as it has changed', async () => {
    const session = sessionOf()
    await beat(session, 60_000)
    await countAll(db, 50, 60_000)
    expect(await progressOf(session)).toMatchObject([{ plays: 1, watchedMs: 60_000 }])
    await beat(session, 90_000)
    await countAll(db, 50, 60_000)
    expect(await progressOf(session)).toMatchObject([{ plays: 1, watchedMs: 60_000 }])
    await execute(
      `update playback_record set counted_at = now() - interval '61 minutes' where id = ?`,
      [session.sessionId],
    )
    await countAll(db, 50, 60_000)
    expect(await progressOf(session)).toMatchObject([{ plays: 1, watchedMs: 90_000 }])
  })

  it('is in the metrics once, when the worker has counted it', async () => {
    await countAll(db)
    const session = sessionOf()
    await beat(session, 60_000)
    const age = `update playback_record set last_seen_at = now() - interval '4 minutes' where id = ?`
    await execute(age, [session.sessionId])
    const { plays = 0, watchedSeconds = 0 } = await measured()
    const run = () => new MockActivityEnvironment().run(countAudience, { db })
    expect([await run(), await run()]).toEqual([1, 0])
    expect(await measured()).toMatchObject({
      plays: plays + 1,
      watchedSeconds: watchedSeconds + 60,
    })
  })

  it('of a member in the dashboard does not count', async () => {
    await countAll(db)
    const viewerId = dashboardViewerId(7)
    const { sessionId, ...session } = sessionOf({ viewerId })
    await execute(
      `insert into playback_record (id, video_id, account_id, viewer_id, signing_secret_version, started_at, watched_ms)
       values (?, ?, ?, ?, 1, now(), 60000)`,
      [sessionId, session.videoId, session.accountId, viewerId],
    )
    const before = await storedAudience(db)
    expect(await countAll(db)).toBe(1)
    expect(differences(await storedAudience(db), before)).toEqual([])
  })

  it('of before the upgrade counts with what it plays afterwards; its progress is filled once', async () => {
    const session = sessionOf({ startedAtMs: Date.now() - HOUR_MS })
    await beat(session, 60_000, 40_000)
    // As the migration finds it.
    await execute('update playback_record set is_open = false where id = ?', [session.sessionId])
    const before = await storedAudience(db)
    expect(await countAll(db)).toBe(0)
    expect(await progressOf(session)).toEqual([])
    // As a process of the release before writes.
    await execute(
      'update playback_record set watched_ms = 100000, position_ms = 50000, last_seen_at = now() where id = ?',
      [session.sessionId],
    )
    for (let hasMore = true; hasMore;)
      hasMore = await continueBackfill(db.em.fork(), fillViewerProgress)
    expect(await progressOf(session)).toEqual([{ plays: 1, watchedMs: 60_000, positionMs: 50_000 }])
    expect(await countAll(db)).toBe(1)
    expect(await progressOf(session)).toEqual([
      { plays: 1, watchedMs: 100_000, positionMs: 50_000 },
    ])
    expect(differences(await storedAudience(db), before).join(' ')).toContain('"watched_ms"')
    const day = (key: string) => [...before.days.keys()].find((name) => name.endsWith(key))
    const key = day(utcDay(session.startedAtMs)) ?? ''
    expect((await storedAudience(db)).days.get(key)?.plays).toBe(before.days.get(key)?.plays)
    expect(await continueBackfill(db.em.fork(), fillViewerProgress)).toBe(false)
  })

  it('resumes where its viewer was last, also when the session is dropped', async () => {
    const session = sessionOf({ startedAtMs: Date.now() - HOUR_MS })
    const { videoId, accountId, viewerId } = session
    await beat(session, 60_000, 30_000)
    const position = async () =>
      (await findPlayback(db, videoId, accountId, viewerId))?.claimed.positionMs
    expect(await position()).toBe(30_000)
    await countAll(db)
    await execute('delete from playback_record where id = ?', [session.sessionId])
    expect(await position()).toBe(30_000)
  })
})
