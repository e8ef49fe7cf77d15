import { beforeEach, describe, expect, it } from 'vitest'
import { PlaybackSession } from '../../../db/entities/event.ts'
import { findSessionEnd } from '../../../db/playback/playback-sessions.ts'
import type { PlaybackSession as SessionClaims } from '../../../domain/playback/playback-session.ts'
import { auditRows } from '../../../test/fixtures/audit-log.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'
import { insertPublishedVideo } from '../../../test/fixtures/published-video.ts'
import { recordHeartbeat } from '../../../test/fixtures/record-heartbeat.ts'

const t = setUpDashboardFixture()

beforeEach(() => t.em().nativeDelete(PlaybackSession, {}))

/** Starts a playback session of the account with one heartbeat. */
async function play(accountId: number, viewerId: string | null): Promise<SessionClaims> {
  const keys = { masterKeys: t.masterKeys, signingSecret: 'a'.repeat(64) }
  const facts = { title: 'Opening night', accountId, durationMs: 60_000 }
  const { videoId } = await insertPublishedVideo(t.db, keys, facts)
  const session = {
    sessionId: crypto.randomUUID(),
    videoId,
    accountId,
    viewerId,
    secretVersion: 1,
    refererHost: 'site.example',
    startedAtMs: Date.now() - 5_000,
  }
  expect(await beat(session)).toMatchObject({ renditions: 1 })
  return session
}

const beat = (session: SessionClaims) =>
  recordHeartbeat(t.db, session, 'test', { positionMs: 12_500, watchedMs: null, bytesLoaded: null })
const list = async () => (await t.call('reader', 'GET', '/playing')).json.data as object[]
const end = (sessionId: string, person: 'editor' | 'reader' = 'editor') =>
  t.call(person, 'POST', `/playing/${sessionId}/end`, { body: {} })

describe('GET /playing', () => {
  it('lists the sessions of the account that sent a heartbeat lately', async () => {
    const { sessionId, videoId } = await play(t.accountId, 'anna')
    await play(t.otherAccountId, 'ben')
    expect(await list()).toEqual([
      {
        id: sessionId,
        object: 'playback_session',
        video_id: videoId,
        video_title: 'Opening night',
        viewer_id: 'anna',
        host: 'site.example',
        started_at: expect.any(String),
        last_seen_at: expect.any(String),
        position: 12.5,
      },
    ])
  })

  it('leaves out a session that was silent for two minutes', async () => {
    await play(t.accountId, null)
    await t.execute(`update playback_record set last_seen_at = now() - interval '2 minutes'`)
    expect(await list()).toEqual([])
  })

  it('filters by viewer, video and host', async () => {
    const { videoId } = await play(t.accountId, 'anna')
    await play(t.accountId, 'ben')
    const found = async (query: string) => {
      const { json } = await t.call('reader', 'GET', `/playing?${query}`)
      return Array.isArray(json.data) ? json.data.length : json
    }
    expect(await found('viewer_id=anna')).toBe(1)
    expect(await found(`video_id=${videoId}`)).toBe(1)
    expect(await found('host=site.example')).toBe(2)
    expect(await found('host=site.example&viewer_id=eve')).toBe(0)
  })

  it('has a limit, and says if more are playing', async () => {
    await play(t.accountId, 'anna')
    await play(t.accountId, 'ben')
    const { json } = await t.call('reader', 'GET', '/playing?limit=1')
    expect(json).toMatchObject({ has_more: true })
    expect(json.data).toHaveLength(1)
  })
})

describe('POST /playing/{id}/end', () => {
  it('ends a session: its next heartbeat is refused', async () => {
    const session = await play(t.accountId, 'anna')
    const other = await play(t.accountId, 'anna')
    expect(await end(session.sessionId)).toMatchObject({
      status: 200,
      json: { id: session.sessionId, viewer_id: 'anna' },
    })
    expect(await beat(session)).toBeNull()
    expect(await findSessionEnd(t.em(), session)).toBe('session_ended')
    expect(await beat(other)).toMatchObject({ renditions: 1 })
    expect(await list()).toHaveLength(1)
    expect((await auditRows(t, t.accountId)).at(-1)).toMatchObject({
      action: 'playback_session.end',
      subject: session.sessionId,
      after: { viewer_id: 'anna', video_id: session.videoId, host: 'site.example' },
    })
    expect((await end(session.sessionId)).code).toBe('playback_session_not_found')
  })

  it('does not find a session of another account', async () => {
    const session = await play(t.otherAccountId, 'anna')
    expect(await end(session.sessionId)).toMatchObject({
      status: 404,
      code: 'playback_session_not_found',
    })
    expect((await end('nothing')).status).toBe(404)
    expect(await beat(session)).toMatchObject({ renditions: 1 })
  })

  it('is not for readers', async () => {
    const { sessionId } = await play(t.accountId, 'anna')
    expect((await end(sessionId, 'reader')).code).toBe('insufficient_role')
  })
})
