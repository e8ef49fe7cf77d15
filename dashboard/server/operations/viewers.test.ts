import { beforeEach, describe, expect, it } from 'vitest'
import { RevokedViewer } from '../../../db/entities/account.ts'
import { auditRows } from '../../../test/fixtures/audit-log.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'
import { insertPublishedVideo } from '../../../test/fixtures/published-video.ts'
import { recordHeartbeat } from '../../../test/fixtures/record-heartbeat.ts'
import { insertProgress } from '../../../test/fixtures/watched.ts'

const t = setUpDashboardFixture()
const post = (verb: 'revoke' | 'restore', viewerId: string) =>
  t.call('editor', 'POST', `/viewers/${verb}`, { body: { viewer_id: viewerId } })
const list = async (query = '') =>
  (await t.call('reader', 'GET', `/viewers${query}`)).json as unknown as {
    data: { viewer_id: string }[]
    has_more: boolean
  }
const ids = async (query = '') => (await list(query)).data.map((viewer) => viewer.viewer_id)

beforeEach(() => t.em().nativeDelete(RevokedViewer, {}))

describe('a viewer', () => {
  it.each(['anna', 'zoë/1', '..', '\u202Eevil'])(
    'is revoked and restored: %j',
    async (viewerId) => {
      const revoked = await post('revoke', viewerId)
      expect(revoked).toMatchObject({ status: 200, json: { viewer_id: viewerId } })
      expect(await ids()).toEqual([viewerId])
      expect((await post('revoke', viewerId)).json).toEqual(revoked.json)
      const restored = await post('restore', viewerId)
      expect(restored.json).toEqual({ object: 'viewer', viewer_id: viewerId, is_revoked: false })
      expect(await ids()).toEqual([])
      const log = (await auditRows(t, t.accountId)).slice(-3)
      expect(log.map(({ action, subject }) => [action, subject])).toEqual([
        ['viewer.revoke', viewerId],
        ['viewer.revoke', viewerId],
        ['viewer.restore', viewerId],
      ])
    },
  )

  it('who is not revoked cannot be restored', async () => {
    const response = await post('restore', 'nobody')
    expect(response).toMatchObject({ status: 404, code: 'revoked_viewer_not_found' })
  })

  it('of another account is not touched', async () => {
    await t.em().insert(RevokedViewer, { accountId: t.otherAccountId, viewerId: 'anna' })
    expect((await post('restore', 'anna')).status).toBe(404)
    expect(await ids()).toEqual([])
    expect(await t.em().count(RevokedViewer, {})).toBe(1)
  })

  it.each(['', 'x'.repeat(65), 'a\nb'])('with the id %j is refused', async (viewerId) => {
    const response = await post('revoke', viewerId)
    expect(response).toMatchObject({ status: 422, json: { error: { param: 'viewer_id' } } })
  })

  it('is not revoked by a reader', async () => {
    const options = { body: { viewer_id: 'anna' } }
    const response = await t.call('reader', 'POST', '/viewers/revoke', options)
    expect(response.code).toBe('insufficient_role')
  })
})

describe('GET /viewers', () => {
  it('lists the most recently revoked first, in pages', async () => {
    for (const viewerId of ['b', 'a', 'c']) await post('revoke', viewerId)
    expect(await ids()).toEqual(['c', 'a', 'b'])
    const first = await list('?limit=2')
    expect(first.has_more).toBe(true)
    expect(await ids('?limit=2&starting_after=a')).toEqual(['b'])
    expect(await ids('?limit=2&ending_before=b')).toEqual(['c', 'a'])
    const response = await t.call('reader', 'GET', '/viewers?starting_after=nobody')
    expect(response.status).toBe(422)
  })
})

describe('GET /viewers/sessions', () => {
  const sessionsOf = async (viewerId: string) => {
    const path = `/viewers/sessions?viewer_id=${encodeURIComponent(viewerId)}`
    return (await t.call('reader', 'GET', path)).json.data as Record<string, unknown>[]
  }

  async function insertVideo(accountId: number, title: string): Promise<string> {
    const keys = { masterKeys: t.masterKeys, signingSecret: 'a'.repeat(64) }
    const facts = { title, accountId, durationMs: 60_000 }
    return (await insertPublishedVideo(t.db, keys, facts)).videoId
  }

  /** Plays a video for some seconds, so many minutes ago. */
  async function play(accountId: number, videoId: string, minutesAgo: number): Promise<string> {
    const sessionId = crypto.randomUUID()
    const startedAtMs = Date.now() - minutesAgo * 60_000
    const of = { accountId, videoId, viewerId: 'dana' }
    const origin = { secretVersion: 1, refererHost: 'site.example', startedAtMs }
    const report = { positionMs: 12_500, watchedMs: 9_000, bytesLoaded: null }
    await recordHeartbeat(t.db, { sessionId, ...of, ...origin }, 'Firefox/140 (Windows)', report)
    await insertProgress(t.db, of)
    return sessionId
  }

  it('lists the last sessions of the viewer, and none that another account has of the same id', async () => {
    const [first, second] = [
      await insertVideo(t.accountId, 'Lesson 1'),
      await insertVideo(t.accountId, 'Lesson 2'),
    ]
    const theirs = await insertVideo(t.otherAccountId, 'Theirs')
    const ids = [
      await play(t.accountId, first, 5),
      await play(t.accountId, second, 20),
      await play(t.accountId, first, 50),
    ]
    await play(t.otherAccountId, theirs, 1)
    await t.execute(`update playback_record set error = 'network' where id = ?`, [ids[1] ?? ''])
    await t.execute('update video set deleted_at = now() where id = ?', [second])
    const sessions = await sessionsOf('dana')
    expect(sessions.map(({ id }) => id)).toEqual(ids)
    expect(sessions[0]).toEqual({
      id: ids[0],
      object: 'viewer_session',
      video_id: first,
      video_title: 'Lesson 1',
      host: 'site.example',
      browser: 'Firefox',
      system: 'Windows',
      started_at: expect.any(String),
      watch_seconds: 9,
      position: 12.5,
      error: null,
    })
    expect(sessions[1]).toMatchObject({ video_title: null, error: 'network' })
    expect(await sessionsOf('dan')).toEqual([])
  })

  it('lists twenty at most', async () => {
    const videoId = await insertVideo(t.accountId, 'Lesson 3')
    for (let minute = 1; minute <= 22; minute += 1) await play(t.accountId, videoId, minute)
    expect(await sessionsOf('dana')).toHaveLength(20)
  })
})
