import { describe, expect, it } from 'vitest'
import { createEndpoint } from '../../../commands/webhooks/endpoints.ts'
import { addEncodedTime } from '../../../db/accounts/write-usage.ts'
import { addToDays } from '../../../db/audience/write-audience-sums.ts'
import { Plan } from '../../../db/entities/account.ts'
import { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../../../db/entities/event.ts'
import { ALL_VIDEOS } from '../../../domain/audience/fold-sessions.ts'
import { noTotals } from '../../../domain/audience/totals.ts'
import type { VideoStatus } from '../../../domain/videos/video-state.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'
import { insertPublishedVideo } from '../../../test/fixtures/published-video.ts'
import { recordHeartbeat } from '../../../test/fixtures/record-heartbeat.ts'
import { insertVideoFixture } from '../../../test/fixtures/video-rows.ts'

const t = setUpDashboardFixture()
/** The other account has one member, and nothing else. */
const overview = async () =>
  (await t.call('stranger', 'GET', '/overview', { accountId: t.otherAccountId })).json
const steps = async () => (await overview()).steps
const post = (path: string, body: object) =>
  t.call('stranger', 'POST', path, { accountId: t.otherAccountId, body })

async function play(viewerId: string | null, refererHost: string | null): Promise<void> {
  const keys = { masterKeys: t.masterKeys, signingSecret: 'a'.repeat(64) }
  const accountId = t.otherAccountId
  const { videoId } = await insertPublishedVideo(t.db, keys, { title: 'Opening', accountId })
  const session = { sessionId: crypto.randomUUID(), videoId, accountId, viewerId, refererHost }
  const report = { positionMs: 0, watchedMs: null, bytesLoaded: null }
  const claims = { ...session, secretVersion: 1, startedAtMs: Date.now() - 1_000 }
  await recordHeartbeat(t.db, claims, 'test', report)
}

const NOTHING_DONE = {
  video_added: false,
  video_ready: false,
  played_elsewhere: false,
  access_restricted: false,
  webhook_delivered: false,
  colleague_invited: false,
}

describe('the first steps', () => {
  it('are open in a new account', async () => {
    expect(await overview()).toEqual({
      object: 'overview',
      steps: NOTHING_DONE,
      failed_videos: { days: 7, count: 0, data: [] },
      failing_endpoints: [],
      videos: { count: 0, newest_ready_id: null },
      encoding: { count: 0, data: [] },
      watched: { hours: 24, play_count: 0, data: [] },
      audience: {
        days: 7,
        plays: 0,
        watch_seconds: 0,
        previous_plays: 0,
        previous_watch_seconds: 0,
      },
      playing_count: 0,
      security_events: { hours: 24, count: 0 },
      plan: { is_active: true, ends_at: null, nearly_used: [], uses: [] },
    })
  })

  it('begin again with a video if the only one failed', async () => {
    const failed = { accountId: t.otherAccountId, status: 'failed' } as const
    const id = await insertVideoFixture(t.db, failed)
    expect(await steps()).toEqual(NOTHING_DONE)
    await t.execute('delete from video where id = ?', [id])
  })

  it('are done when they have happened', async () => {
    const id = await insertVideoFixture(t.db, { accountId: t.otherAccountId })
    expect(await steps()).toEqual({ ...NOTHING_DONE, video_added: true })
    await t.execute(`update video set status = 'ready' where id = ?`, [id])
    expect(await steps()).toMatchObject({ video_ready: true, played_elsewhere: false })
    await play(null, null)
    await play('dashboard:1', 'localhost')
    expect(await steps()).toMatchObject({ played_elsewhere: false })
    await play('anna', 'localhost')
    expect(await steps()).toMatchObject({ played_elsewhere: true, access_restricted: false })
    const options = {
      accountId: t.otherAccountId,
      body: { version: 1, blocked_domains: ['x.example'] },
    }
    await t.call('stranger', 'PATCH', '/settings', options)
    expect(await steps()).toMatchObject({ access_restricted: true, webhook_delivered: false })
    const facts = { accountId: t.otherAccountId, url: 'https://127.0.0.1/hook', description: '' }
    const { endpoint } = await t
      .em()
      .transactional((tx) =>
        createEndpoint(tx, t.masterKeys, { ...facts, events: ['video.ready'] }),
      )
    await post(`/v1/webhook-endpoints/${endpoint.id}/test`, {})
    expect(await steps()).toMatchObject({ webhook_delivered: false })
    await t.execute(`update webhook_delivery set status = 'delivered'`)
    expect(await steps()).toMatchObject({ webhook_delivered: true, colleague_invited: false })
    expect((await post('/invitations', { role: 'reader' })).status).toBeLessThan(300)
    expect(Object.values(Object(await steps()))).toEqual([true, true, true, true, true, true])
  })
})

describe('what needs attention', () => {
  it('is what failed in the last week, and what plays', async () => {
    const { accountId } = t
    const failed = { accountId, title: 'Lecture', status: 'failed' } as const
    const id = await insertVideoFixture(t.db, failed)
    const old = await insertVideoFixture(t.db, failed)
    await insertVideoFixture(t.db, { ...failed, accountId: t.otherAccountId })
    await t.execute(`update video set created_at = now() - interval '8 days' where id = ?`, [old])
    await t.execute(`update video set error_code = 'no_video_stream' where id = ?`, [id])
    const { json } = await t.call('reader', 'GET', '/overview')
    expect(json.failed_videos).toEqual({
      days: 7,
      count: 1,
      data: [
        { id, title: 'Lecture', error_code: 'no_video_stream', failed_at: expect.any(String) },
      ],
    })
    expect(json.playing_count).toBe(0)
    expect(await overview()).toMatchObject({ playing_count: 3 })
  })

  it('is an endpoint that fails, or was disabled for it', async () => {
    const insert = (url: string, facts: Partial<WebhookEndpoint>) =>
      t.em().insert(WebhookEndpoint, {
        accountId: t.accountId,
        url,
        events: ['video.ready'],
        sealedSecret: 'sealed',
        disabledReason: null,
        ...facts,
      })
    await insert('https://works.example/', {})
    await insert('https://off.example/', {
      isActive: false,
      disabledReason: 'owner',
      failureCount: 3,
    })
    const failing = await insert('https://fails.example/', { failureCount: 2 })
    const gone = await insert('https://gone.example/', { isActive: false, disabledReason: 'gone' })
    await t.call('owner', 'POST', `/v1/webhook-endpoints/${failing}/test`)
    const { id: deliveryId } = await t.em().findOneOrFail(WebhookDelivery, { endpointId: failing })
    for (const [number, responseStatus] of [502, 503].entries())
      await t.em().insert(WebhookAttempt, {
        deliveryId,
        number: number + 1,
        startedAt: new Date(`2026-11-20T08:0${number}:00Z`),
        durationMs: 20,
        responseStatus,
        errorCode: 'http_error',
        errorCause: null,
        errorMessage: null,
        responseHeaders: {},
        responseBody: null,
        responseEncoding: null,
        remoteIp: null,
        timings: {},
      })
    const { json } = await t.call('reader', 'GET', '/overview')
    expect(json.failing_endpoints).toEqual([
      {
        id: gone,
        url: 'https://gone.example/',
        failure_count: 0,
        disabled_reason: 'gone',
        last_error: null,
      },
      {
        id: failing,
        url: 'https://fails.example/',
        failure_count: 2,
        disabled_reason: null,
        last_error: {
          error_code: 'http_error',
          response_status: 503,
          failed_at: '2026-11-20T08:01:00.000+00:00',
        },
      },
    ])
  })

  it('is a limit of the plan that is nearly used up', async () => {
    const { accountId } = t
    const limits = { storageLimitBytes: 1000, encodingLimitMinutes: 10, bandwidthLimitBytes: 0 }
    await t.em().nativeUpdate(Plan, { accountId }, limits)
    await t.execute(
      `update video set size_bytes = 899 where account_id = ? and title = 'Lecture'`,
      [accountId],
    )
    await addEncodedTime(t.em(), accountId, 9 * 60_000)
    const { json } = await t.call('reader', 'GET', '/overview')
    expect(json.plan).toMatchObject({
      nearly_used: [
        { limit: 'storage', share: 1.798 },
        { limit: 'bandwidth', share: 1 },
        { limit: 'encoding', share: 0.9 },
      ],
      uses: [
        { limit: 'storage', used: 1798, most: 1000 },
        { limit: 'bandwidth', used: 0, most: 0 },
        { limit: 'encoding', used: 9, most: 10 },
      ],
    })
  })
})

describe('what happens now', () => {
  it('is what is encoded, first what runs and then what waits', async () => {
    const { accountId } = t
    const waiting = await insertAged('Waiting', 'queued', 1)
    const older = await insertAged('Older', 'processing', 9)
    const newer = await insertAged('Newer', 'playable', 3)
    const { json } = await t.call('reader', 'GET', '/overview')
    expect(json.encoding).toEqual({
      count: 3,
      data: [
        { id: newer, title: 'Newer', status: 'playable' },
        { id: older, title: 'Older', status: 'processing' },
        { id: waiting, title: 'Waiting', status: 'queued' },
      ],
    })
    const [row] = await t.execute<{ count: number }>(
      `select count(*)::int as count from video where account_id = ? and deleted_at is null`,
      [accountId],
    )
    expect(json.videos).toEqual({ count: row?.count, newest_ready_id: null })
    await t.execute(`update video set status = 'ready' where id in (?, ?)`, [older, newer])
    const { json: later } = await t.call('reader', 'GET', '/overview')
    expect(later).toMatchObject({ videos: { newest_ready_id: newer }, encoding: { count: 1 } })
  })

  it('is what viewers played last, each video once and without the plays of members', async () => {
    const played = (await overview()).watched
    expect(played).toMatchObject({ hours: 24, play_count: 2 })
    const [last, before, ...more] = Object(played).data
    expect([last, before, more]).toEqual([
      { ...PLAYED, host: 'localhost', poster_url: null },
      { ...PLAYED, host: null, poster_url: null },
      [],
    ])
  })
})

describe('the audience', () => {
  it('is what was played in seven days in UTC, with the current one, and in the seven before them', async () => {
    // Each day has its own digit, so that a sum says which days are in it.
    const plays = { '-1': 100_000, 0: 1, 6: 10, 7: 100, 13: 1000, 14: 10_000 }
    await insertPlays(t.accountId, ALL_VIDEOS, plays)
    await insertPlays(t.accountId, 'a'.repeat(20), { 0: 2 })
    await insertPlays(t.otherAccountId, ALL_VIDEOS, { 1: 7 })
    const { json } = await t.call('reader', 'GET', '/overview')
    expect(json.audience).toEqual({
      days: 7,
      plays: 11,
      watch_seconds: 16.5,
      previous_plays: 1100,
      previous_watch_seconds: 1650,
    })
    expect((await overview()).audience).toMatchObject({ plays: 7, previous_plays: 0 })
  })
})

/** Counts plays of one and a half seconds, by how many days ago they were. */
async function insertPlays(
  accountId: number,
  videoId: string,
  plays: Record<string, number>,
): Promise<void> {
  const today = Math.floor(Date.now() / 86_400_000)
  const days = Object.entries(plays).map(([ago, count]) => ({
    accountId,
    videoId,
    day: today - Number(ago),
    totals: { ...noTotals(), plays: count, watchedMs: count * 1500 },
    viewerDays: 0,
  }))
  await t.em().transactional((tx) => addToDays(tx, days))
}

async function insertAged(title: string, status: VideoStatus, minutes: number): Promise<string> {
  const id = await insertVideoFixture(t.db, { accountId: t.accountId, title, status })
  const sql = `update video set created_at = now() - ? * interval '1 minute' where id = ?`
  await t.execute(sql, [minutes, id])
  return id
}

const PLAYED = { id: expect.any(String), title: 'Opening', played_at: expect.any(String) }
