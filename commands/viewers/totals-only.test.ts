import { randomUUID } from 'node:crypto'
import { MockActivityEnvironment } from '@temporalio/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { withDeps } from '../../activities/deps.ts'
import { eraseViewers } from '../../activities/upkeep/erase-viewers.ts'
import { fillViewerProgress } from '../../db/audience/write-progress-of-before.ts'
import { findPlayback } from '../../db/playback/playback.ts'
import { continueBackfill } from '../../db/upkeep/write-backfills.ts'
import { encodeFailureCode } from '../../domain/playback-reports/failure-code.ts'
import { withChange } from '../../domain/settings/player-settings.ts'
import { countAll } from '../../test/audience/count-all.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { insertPublishedVideo } from '../../test/fixtures/published-video.ts'
import { recordHeartbeat } from '../../test/fixtures/record-heartbeat.ts'
import { keepReports } from '../playback-reports/keep-reports.ts'
import { editSettings } from '../settings/edit-settings.ts'

const t = setUpApiFixture()
const execute = <Row>(text: string, values: unknown[] = []) =>
  t.db.em.fork().execute<Row[]>(text, values)
const keepTotalsOnly = (isOn: boolean) =>
  editSettings(t.db.em.fork(), t.ours.id, (settings) =>
    withChange(settings, { viewer_data: { totals_only: isOn } }),
  )
/** Runs what was requested, as if some time had passed. */
const erase = async () => {
  await execute(`update viewer_erasure set requested_at = requested_at - interval '1 minute'`)
  return new MockActivityEnvironment().run(withDeps({ db: t.db }, eraseViewers))
}

let videoId = ''
let theirVideoId = ''
beforeAll(async () => {
  const keys = { masterKeys: t.masterKeys, signingSecret: 'ab'.repeat(32) }
  const add = async (accountId: number) =>
    (await insertPublishedVideo(t.db, keys, { title: 'x', durationMs: 60_000, accountId })).videoId
  videoId = await add(t.ours.id)
  theirVideoId = await add(t.theirs.id)
})

const sessionOf = (viewerId: string | null, accountId = t.ours.id) => ({
  sessionId: randomUUID(),
  accountId,
  viewerId,
  secretVersion: 1,
  refererHost: null,
  videoId: accountId === t.ours.id ? videoId : theirVideoId,
  startedAtMs: Date.now() - 60_000,
})
const watch = (session: ReturnType<typeof sessionOf>, watchedMs = 30_000) =>
  recordHeartbeat(t.db, session, null, { positionMs: 20_000, watchedMs, bytesLoaded: null })
let codes = 0
const report = (accountId: number, viewerId: string) => {
  const code = encodeFailureCode({ cause: 'network', atMs: Date.now() }, (codes += 1))
  const of = { code, accountId, cause: 'network' as const, videoId, viewerId }
  return keepReports(t.db.em.fork(), [
    { ...of, host: null, details: {}, browser: 'Firefox', system: 'Linux' },
  ])
}

/** How many rows of an account name a viewer. */
async function namedRows(accountId: number): Promise<Record<string, number>> {
  const tables = ['playback_record', 'playback_report', 'viewer', 'viewer_progress']
  const counts = tables.map(
    (table) =>
      `(select count(*)::int from ${table} where account_id = ? and viewer_id is not null) as ${table}`,
  )
  const [row] = await execute<Record<string, number>>(
    `select ${counts.join(', ')}`,
    tables.map(() => accountId),
  )
  return row ?? {}
}
const NOTHING = { playback_record: 0, playback_report: 0, viewer: 0, viewer_progress: 0 }

interface Counts {
  plays: number
  viewers: number
}
const totals = async () => {
  const { json } = await t.call('GET', '/v1/audience?interval=day')
  const { totals, series } = json as { totals: Counts; series: Counts[] }
  // All in one day, unless midnight has just passed.
  expect(series.reduce((sum, { viewers }) => sum + viewers, 0)).toBe(totals.viewers)
  return totals
}

describe('an account that keeps totals only', () => {
  it('erases what it has kept of each viewer, and leaves totals and other accounts as they are', async () => {
    for (const viewerId of ['ann', 'ben'])
      for (const { id } of [t.ours, t.theirs]) {
        await watch(sessionOf(viewerId, id))
        await report(id, viewerId)
      }
    await countAll(t.db)
    const before = await totals()
    const all = { playback_record: 2, playback_report: 2, viewer: 2, viewer_progress: 2 }
    expect(await namedRows(t.ours.id)).toEqual(all)

    await keepTotalsOnly(true)
    await keepTotalsOnly(true)
    expect(await erase()).toBe(1)
    expect(await namedRows(t.ours.id)).toEqual(NOTHING)
    expect(await namedRows(t.theirs.id)).toEqual(all)
    expect(await totals()).toEqual(before)
    expect(before).toMatchObject({ plays: 2, viewers: 2 })
    expect(await erase()).toBe(0)
  })

  it('counts plays and viewers, and keeps no viewer of a session that has ended', async () => {
    const before = await totals()
    const carl = sessionOf('carl')
    const dashboard = sessionOf('dashboard:7')
    for (const session of [carl, sessionOf('dora'), sessionOf('dora'), sessionOf(null)])
      await watch(session)
    await watch(dashboard)
    await report(t.ours.id, 'carl')
    // One that plays keeps its viewer: revocations and limits of plays need it.
    await countAll(t.db, 50, 60_000)
    expect(await namedRows(t.ours.id)).toMatchObject({ playback_record: 4, viewer: 0 })
    await countAll(t.db)
    const named = await execute(
      'select viewer_id from playback_record where viewer_id is not null and account_id = ?',
      [t.ours.id],
    )
    expect(named).toEqual([{ viewer_id: 'dashboard:7' }])
    expect(await namedRows(t.ours.id)).toEqual({ ...NOTHING, playback_record: 1 })
    const after = { plays: before.plays + 4, viewers: before.viewers + 2 }
    expect(await totals()).toMatchObject(after)

    // It wakes up and goes on: its viewer is unknown now, and counted already.
    await watch(carl, 50_000)
    await countAll(t.db)
    expect(await namedRows(t.ours.id)).toEqual({ ...NOTHING, playback_record: 1 })
    expect(await totals()).toMatchObject(after)
    const found = await findPlayback(t.db, videoId, t.ours.id, 'carl')
    expect(found?.claimed.positionMs).toBeNull()
  })

  it('takes no progress from sessions of before the upgrade', async () => {
    await watch(sessionOf('erik'))
    await execute(
      `update playback_record set is_open = false, counted_at = null where viewer_id = 'erik'`,
    )
    while (await continueBackfill(t.db.em.fork(), fillViewerProgress));
    expect(await namedRows(t.ours.id)).toMatchObject({ viewer: 0, viewer_progress: 0 })
  })

  it('knows viewers again once it keeps them, and erases none whose erasure was taken back', async () => {
    await keepTotalsOnly(false)
    await watch(sessionOf('fay'))
    await countAll(t.db)
    await keepTotalsOnly(true)
    await keepTotalsOnly(false)
    expect(await erase()).toBe(0)
    expect(await namedRows(t.ours.id)).toMatchObject({ viewer: 1, viewer_progress: 1 })
  })
})
