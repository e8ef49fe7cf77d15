import { randomUUID } from 'node:crypto'
import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, it } from 'vitest'
import { countSessions } from '../../commands/audience/count-sessions.ts'
import { keepReports } from '../../commands/playback-reports/keep-reports.ts'
import { recordSecurityEvent } from '../../commands/security-events/record-security-event.ts'
import { revokeViewer } from '../../commands/viewers/revoke-viewer.ts'
import { setRecordStore } from '../../commands/xapi/record-stores.ts'
import { findPlayback } from '../../db/playback/playback.ts'
import { encodeFailureCode } from '../../domain/playback-reports/failure-code.ts'
import { countAll } from '../../test/audience/count-all.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { insertRow } from '../../test/fixtures/insert-row.ts'
import { insertPublishedVideo } from '../../test/fixtures/published-video.ts'
import { recordHeartbeat } from '../../test/fixtures/record-heartbeat.ts'
import { insertProgress } from '../../test/fixtures/watched.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { withDeps } from '../deps.ts'
import { eraseViewers } from './erase-viewers.ts'

const t = setUpApiFixture()
const em = () => t.db.em.fork()
const execute = <Row>(text: string, values: unknown[] = []) => em().execute<Row[]>(text, values)
const erase = () => new MockActivityEnvironment().run(withDeps({ db: t.db }, eraseViewers))

/** With characters that JSON escapes. */
const VIEWER = 'Anna "Ä" \\ 42'
const PARTS = 'f'.repeat(25)

/** The tables that have the text in one of their columns. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await execute<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const json = JSON.stringify(text).slice(1, -1)
    // A text in a JSON text is escaped twice.
    const forms = [text, json, JSON.stringify(json).slice(1, -1)]
    const isIn = forms.map(() => 'position(? in to_jsonb(x)::text) > 0').join(' or ')
    const rows = await execute(`select from ${name} x where ${isIn} limit 1`, forms)
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** So that counted sessions are stated. */
const setStore = (accountId: number) =>
  em().transactional((tx) =>
    setRecordStore(tx, t.masterKeys, accountId, {
      url: 'https://lrs.example/xapi',
      username: 'reelgate',
      password: 'x',
      homePage: 'https://school.example',
      isActive: true,
    }),
  )

/** Leaves the viewer wherever one leaves a trace. */
async function plant(accountId: number, videoId: string, viewerId: string): Promise<void> {
  const body = { viewer_id: viewerId, ttl_seconds: 60 }
  const headers = { 'Idempotency-Key': randomUUID() }
  const key = accountId === t.ours.id ? t.ours.key : t.theirs.key
  await t.call('POST', `/v1/videos/${videoId}/playback-tokens`, { body, headers, key })
  const endpoint = { url: `${t.outside.baseUrl}/hook`, events: ['security.event'] }
  await t.call('POST', '/v1/webhook-endpoints', { body: endpoint, key })
  const session = { sessionId: randomUUID(), videoId, accountId, viewerId, secretVersion: 1 }
  const of = { ...session, refererHost: 'site.example', startedAtMs: Date.now() - 60_000 }
  const measures = {
    mediaMs: 60_000,
    parts: PARTS,
    replayedParts: null,
    stretches: [{ from: 0, to: 60, at: 0 }],
  }
  const rest = { firstFrameMs: 1, stalls: 0, stalledMs: 0, quality: 720, speed: 100, error: null }
  const report = {
    positionMs: 1,
    watchedMs: 60_000,
    bytesLoaded: 0,
    measures: { ...measures, ...rest },
  }
  await setStore(accountId)
  await recordHeartbeat(t.db, of, 'test', report)
  await countAll(t.db)
  await execute('update record_store set last_response = ? where account_id = ?', [
    `refused: ${JSON.stringify({ name: viewerId })}`,
    accountId,
  ])
  const event = { eventType: 'watermark_tampered', severity: 'high' } as const
  await recordSecurityEvent(em(), { accountId, ...event, videoId, viewerId })
  const [delivery] = await execute<{ id: number }>(
    'select id from webhook_delivery where account_id = ? order by id desc limit 1',
    [accountId],
  )
  const attempt = {
    delivery_id: delivery?.id,
    number: 1,
    started_at: new Date(),
    duration_ms: 1,
    timings: '{}',
  }
  await insertRow({ execute }, 'webhook_attempt', { ...attempt, response_body: `got ${viewerId}` })
  await insertRow({ execute }, 'stream_lease', { account_id: accountId, viewer_id: viewerId })
  await insertRow({ execute }, 'drm_device', {
    account_id: accountId,
    device_id: randomUUID(),
    viewer_id: viewerId,
  })
  const audit = { account_id: accountId, actor_kind: 'operator', actor_name: 'root' }
  await insertRow({ execute }, 'audit_entry', {
    ...audit,
    action: 'viewer.revoke',
    subject: viewerId,
  })
  const after = JSON.stringify({ viewer_id: viewerId })
  await insertRow({ execute }, 'audit_entry', {
    ...audit,
    action: 'playback_session.end',
    subject: 'x',
    after,
  })
  await revokeViewer(em(), accountId, viewerId)
  const facts = { cause: 'viewer_revoked', atMs: Date.now() } as const
  const kept = {
    code: encodeFailureCode(facts, accountId),
    accountId,
    cause: facts.cause,
    videoId,
    viewerId,
  }
  await keepReports(em(), [
    { ...kept, host: null, details: {}, browser: 'Firefox', system: 'Linux' },
  ])
}

const TRACES = [
  'audit_entry',
  'drm_device',
  'event',
  'playback_record',
  'playback_report',
  'record_store',
  'revoked_viewer',
  'security_event',
  'stream_lease',
  'viewer',
  'viewer_progress',
  'webhook_attempt',
  'xapi_statement',
]

describe('a viewer who is erased', () => {
  it('is in no table any more; totals and the revocation stay, and all of other accounts', async () => {
    const keys = { masterKeys: t.masterKeys, signingSecret: 'ab'.repeat(32) }
    const add = (accountId: number) =>
      insertPublishedVideo(t.db, keys, { title: 'x', durationMs: 60_000, accountId })
    const [ours, theirs] = [await add(t.ours.id), await add(t.theirs.id)]
    await plant(t.ours.id, ours.videoId, VIEWER)
    await plant(t.theirs.id, theirs.videoId, 'Carl')
    expect(await tablesWith(VIEWER)).toEqual(TRACES)

    const { json: before } = await t.call('GET', '/v1/audience')
    const body = { viewer_id: VIEWER }
    const denied = await t.keyFor(t.ours.id, ['audience:read', 'videos:write'])
    expect((await t.call('POST', '/v1/viewers/erase', { body, key: denied })).code).toBe(
      'insufficient_scope',
    )
    expect((await t.call('POST', '/v1/viewers/erase', { body })).status).toBe(202)
    expect((await t.call('POST', '/v1/viewers/erase', { body })).status).toBe(202)
    expect(await erase()).toBe(1)
    expect(await erase()).toBe(0)

    expect(await tablesWith(VIEWER)).toEqual([])
    expect(await tablesWith('Carl')).toEqual(TRACES)
    const { json: after } = await t.call('GET', '/v1/audience')
    expect(after.totals).toEqual(before.totals)
    const found = await findPlayback(t.db, ours.videoId, t.ours.id, VIEWER)
    expect(found?.claimed).toEqual({ isRevoked: true, positionMs: null, positionAgeMs: null })
    const other = await findPlayback(t.db, ours.videoId, t.ours.id, 'Ben')
    expect(other?.claimed.isRevoked).toBe(false)
  })

  it('stays a viewer of another account that has the same id', async () => {
    const videoId = 'a'.repeat(20)
    for (const { id } of [t.ours, t.theirs])
      await insertProgress(t.db, { accountId: id, viewerId: 'dora', videoId })
    await t.call('POST', '/v1/viewers/erase', { body: { viewer_id: 'dora' }, key: t.theirs.key })
    await erase()
    const left = await execute(
      `select account_id as id from viewer_progress where viewer_id = 'dora'`,
    )
    expect(left).toEqual([{ id: t.ours.id }])
  })

  it('leaves no statement of a session that is counted at that moment', async () => {
    const keys = { masterKeys: t.masterKeys, signingSecret: 'ab'.repeat(32) }
    const { id: accountId } = t.ours
    const video = await insertPublishedVideo(t.db, keys, { title: 'x', accountId })
    await setStore(accountId)
    const session = { sessionId: randomUUID(), accountId, viewerId: 'emil', secretVersion: 1 }
    const startedAtMs = Date.now() - 120_000
    const of = { ...session, videoId: video.videoId, refererHost: null, startedAtMs }
    const report = { positionMs: 1, watchedMs: 60_000, bytesLoaded: 0 }
    await recordHeartbeat(t.db, of, null, report)
    let erased: Promise<unknown> = Promise.resolve()
    await em().transactional(async (tx) => {
      await countSessions(tx, { after: null, limit: 50, silentMs: 0 })
      const stated = await tx.execute(`select from xapi_statement where viewer_id = 'emil'`)
      expect(stated).toHaveLength(1)
      await t.call('POST', '/v1/viewers/erase', { body: { viewer_id: 'emil' } })
      erased = erase()
      await waitFor('the lock of the session', async () => {
        const locked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return (await execute(locked)).length > 0 || undefined
      })
    })
    await erased
    expect(await tablesWith('emil')).toEqual([])
  })
})
