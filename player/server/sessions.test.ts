import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { revokeViewer } from '../../commands/viewers/revoke-viewer.ts'
import { Account } from '../../db/entities/account.ts'
import { PlaybackSession } from '../../db/entities/event.ts'
import { Video } from '../../db/entities/video.ts'
import { findPlayback } from '../../db/playback/playback.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../domain/settings/player-settings.ts'
import {
  openSessionFixture,
  statusAndCode,
  type SessionFixture,
} from '../../test/fixtures/playback-sessions.ts'
import { paths } from './paths.ts'
import { SESSION_HEADER } from './session.ts'

let fixture: SessionFixture
const AGENT = 'TestBrowser/1.0'
const DAY_MS = 86_400_000

beforeAll(async () => {
  fixture = await openSessionFixture()
})
afterAll(() => fixture.close())
beforeEach(() => fixture.reset())

describe('a playback session', () => {
  it('has no row before its first key or heartbeat', async () => {
    await fixture.openPage({ vt: fixture.vtFor('ann') })
    expect(await fixture.sessions()).toEqual([])
  })

  it('is recorded with its first key: viewer, site, browser and number of grants', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const headers = { [SESSION_HEADER]: session, 'User-Agent': AGENT }
    const body = JSON.stringify({ kids: [fixture.keyId.toString('base64url')] })
    const url = fixture.base + paths.clearKeyLicence
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
    const [row, ...others] = await fixture.sessions()
    expect(others).toEqual([])
    expect(row).toMatchObject({
      accountId: fixture.accountId,
      videoId: fixture.videoId,
      viewerId: 'ann',
      refererHost: 'site.example',
      userAgent: AGENT,
      keyGrants: 2,
      positionMs: null,
    })
    expect(row?.startedAt.getTime()).toBe(fixture.claimsOf(session).startedAtMs)
  })

  it('has no viewer without a verified token', async () => {
    const forged = `${fixture.vtFor('ann').split('.')[0]}.${'A'.repeat(43)}`
    for (const options of [{}, { vt: forged }]) {
      const { session } = await fixture.openPage(options)
      await fixture.beat(session)
    }
    expect((await fixture.sessions()).map(({ viewerId }) => viewerId)).toEqual([null, null])
  })
})

describe('a session ends at its next renewal and at its next licence', () => {
  const em = () => fixture.db.em.fork()
  it.each([
    [
      'secret_rotated',
      () => em().nativeUpdate(Account, fixture.accountId, { signingSecretVersion: 2 }),
    ],
    ['video_deleted', () => em().nativeUpdate(Video, fixture.videoId, { deletedAt: new Date() })],
    ['viewer_revoked', () => revokeViewer(em(), fixture.accountId, 'ann')],
    ['video_failed', () => em().nativeUpdate(Video, fixture.videoId, { status: 'failed' })],
    ['session_ended', () => em().nativeUpdate(PlaybackSession, {}, { endedAt: new Date() })],
  ])('with %s', async (code, happen) => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    expect((await fixture.licence(session)).status).toBe(200)
    await happen()
    const [before] = await fixture.sessions()
    expect(await statusAndCode(await fixture.licence(session))).toEqual([403, code])
    expect(await statusAndCode(await fixture.beat(session, { position_seconds: 50 }))).toEqual([
      403,
      code,
    ])
    const [after] = await fixture.sessions()
    expect(after).toMatchObject({ keyGrants: 1, positionMs: null, lastSeenAt: before?.lastSeenAt })
  })

  it('once the domain rules refuse the site of its page, also if they allow it again', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    expect((await fixture.beat(session)).status).toBe(200)
    const { session: other } = await fixture.openPage({
      headers: { Referer: 'https://other.example/' },
    })
    const app = fixture.resign(session, { refererHost: null, sessionId: randomUUID() })
    const member = fixture.resign(session, { isMember: true, sessionId: randomUUID() })
    await fixture.configure({ blocked_domains: ['site.example'] })
    expect(await statusAndCode(await fixture.beat(session))).toEqual([403, 'session_ended'])
    expect(await statusAndCode(await fixture.licence(session))).toEqual([403, 'session_ended'])
    for (const one of [other, app]) expect((await fixture.beat(one)).status).toBe(200)
    expect(await statusAndCode(await fixture.beat(member))).toEqual([403, 'viewer_revoked'])
    await fixture.configure({})
    expect(await statusAndCode(await fixture.beat(session))).toEqual([403, 'session_ended'])
  })

  it('once a viewer token is required, without one', async () => {
    const sessions = [await fixture.openPage(), await fixture.openPage({ vt: 'expired.token' })]
    const { session: verified } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    for (const { session } of sessions) expect((await fixture.licence(session)).status).toBe(200)
    const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
    await fixture.configure({ watermark: { ...watermark, required: false } })
    for (const { session } of sessions) expect((await fixture.beat(session)).status).toBe(200)
    await fixture.configure({ watermark })
    for (const { session } of sessions) {
      expect(await statusAndCode(await fixture.beat(session))).toEqual([403, 'session_ended'])
      expect(await statusAndCode(await fixture.licence(session))).toEqual([403, 'session_ended'])
    }
    expect((await fixture.beat(verified)).status).toBe(200)
    expect((await fixture.licence(verified)).status).toBe(200)
    await fixture.configure({})
  })

  it('24 hours after its page was loaded, with or without a row', async () => {
    const { session } = await fixture.openPage()
    const nearly = fixture.resign(session, { startedAtMs: Date.now() - DAY_MS + 60_000 })
    expect((await fixture.beat(nearly)).status).toBe(200)
    const { session: another } = await fixture.openPage()
    const old = fixture.resign(another, { startedAtMs: Date.now() - DAY_MS - 1000 })
    expect(await statusAndCode(await fixture.beat(old))).toEqual([403, 'session_ended'])
    expect(await statusAndCode(await fixture.licence(old))).toEqual([403, 'session_ended'])
  })

  it('and a revoked viewer cannot start one if a token is required', async () => {
    const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
    const settings = { ...DEFAULT_PLAYER_SETTINGS, watermark }
    await em().nativeUpdate(Account, fixture.accountId, { settings })
    const vt = fixture.vtFor('ann')
    await expect(fixture.openPage({ vt })).resolves.toMatchObject({ watermark: { text: 'ann' } })
    await revokeViewer(em(), fixture.accountId, 'ann')
    await expect(fixture.openPage({ vt })).rejects.toThrow('403')
    await expect(fixture.openPage({ vt: fixture.vtFor('eve') })).resolves.toBeDefined()
    await em().nativeUpdate(Account, fixture.accountId, { settings: DEFAULT_PLAYER_SETTINGS })
  })

  it('and its row has the viewer id of the token, not the displayed form', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann\u202eeel') })
    expect((await fixture.beat(session)).status).toBe(200)
    const rows = await em().execute(
      'select viewer_id from playback_record order by started_at desc',
    )
    expect(rows[0]).toEqual({ viewer_id: 'ann\u202eeel' })
  })

  it('but not if another viewer is revoked', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const anonymous = await fixture.openPage()
    await revokeViewer(fixture.db.em.fork(), fixture.accountId, 'eve')
    expect((await fixture.beat(session)).status).toBe(200)
    expect((await fixture.beat(anonymous.session)).status).toBe(200)
  })
})

describe('the resume position', () => {
  const leaveAt = async (viewerId: string | null, seconds: number) => {
    const { session } = await fixture.openPage(
      viewerId === null ? {} : { vt: fixture.vtFor(viewerId) },
    )
    await fixture.beat(session, { position_seconds: seconds })
  }
  const resumeOf = async (vt?: string) =>
    (await fixture.openPage(vt === undefined ? {} : { vt })).resumeSeconds

  it("is where the viewer's newest session of the video left it", async () => {
    expect(await resumeOf(fixture.vtFor('ann'))).toBeNull()
    await leaveAt('ann', 40)
    await leaveAt('ann', 63.9)
    await leaveAt('eve', 20)
    await leaveAt(null, 80)
    await fixture.openPage({ vt: fixture.vtFor('ann') })
    expect(await resumeOf(fixture.vtFor('ann'))).toBe(63)
  })

  it('comes with its age and a viewer key that is not the viewer id', async () => {
    const pageOf = (viewerId: string) => fixture.openPage({ vt: fixture.vtFor(viewerId) })
    expect((await pageOf('ann')).resumeAgeMs).toBeNull()
    await leaveAt('ann', 40)
    const lastSeenAt = new Date(Date.now() - 90_000)
    await fixture.db.em.fork().nativeUpdate(PlaybackSession, {}, { lastSeenAt })
    const page = await pageOf('ann')
    expect(Math.round((page.resumeAgeMs ?? 0) / 10_000)).toBe(9)
    expect(page.viewerKey).toMatch(/^[0-9a-f]{16}$/)
    expect((await pageOf('eve')).viewerKey).not.toBe(page.viewerKey)
    expect(await fixture.openPage()).toMatchObject({ viewerKey: null, resumeAgeMs: null })
  })

  it('is null without a token and with a forged or expired one', async () => {
    await leaveAt('ann', 63)
    expect(await resumeOf(`${fixture.vtFor('ann').split('.')[0]}.${'A'.repeat(43)}`)).toBeNull()
    expect(await resumeOf(fixture.vtFor('ann', -5))).toBeNull()
    expect(await resumeOf()).toBeNull()
  })

  it('is null near the start and the end, and after 90 days', async () => {
    await leaveAt('ann', 5)
    expect(await resumeOf(fixture.vtFor('ann'))).toBeNull()
    await leaveAt('ann', 110)
    expect(await resumeOf(fixture.vtFor('ann'))).toBeNull()
    await leaveAt('ann', 60)
    expect(await resumeOf(fixture.vtFor('ann'))).toBe(60)
    const startedAt = new Date(Date.now() - 91 * DAY_MS)
    await fixture.db.em.fork().nativeUpdate(PlaybackSession, {}, { startedAt })
    expect(await resumeOf(fixture.vtFor('ann'))).toBeNull()
  })
})

describe('the database', () => {
  it('gives each of many simultaneous pages its own facts', async () => {
    for (const [viewerId, seconds] of [
      ['ann', 30],
      ['eve', 50],
    ] as const) {
      const { session } = await fixture.openPage({ vt: fixture.vtFor(viewerId) })
      await fixture.beat(session, { position_seconds: seconds })
    }
    const nowhere = { videoId: '0'.repeat(20), accountId: fixture.accountId }
    const asked = Array.from({ length: 30 }, (_, at) =>
      at % 3 === 2
        ? findPlayback(fixture.db, nowhere.videoId, nowhere.accountId, 'ann')
        : findPlayback(
            fixture.db,
            fixture.videoId,
            fixture.accountId,
            at % 3 === 0 ? 'ann' : 'eve',
          ),
    )
    const positions = (await Promise.all(asked)).map((facts) => facts?.claimed.positionMs)
    expect(positions).toEqual(Array.from({ length: 10 }, () => [30_000, 50_000, undefined]).flat())
    expect(await findPlayback(fixture.db, fixture.videoId, fixture.accountId + 1, null)).toBeNull()
  })

  it('gets one query for a page, one for a licence and one for a heartbeat', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const pool = await fixture.db.driver.getConnection().getNativeClient()
    let asked = 0
    const count = () => void (asked += 1)
    pool.on('acquire', count)
    const cost = async (work: Promise<unknown>) => {
      const before = asked
      await work
      return asked - before
    }
    expect(await cost(fixture.openPage({ vt: fixture.vtFor('ann') }))).toBe(1)
    expect(await cost(fixture.licence(session))).toBe(1)
    expect(await cost(fixture.beat(session, { position_seconds: 1 }))).toBe(1)
    pool.off('acquire', count)
  })
})
