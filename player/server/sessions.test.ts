import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Account, RevokedViewer } from '../../db/entities/account.ts'
import { PlaybackSession, SecurityEvent } from '../../db/entities/event.ts'
import { Video } from '../../db/entities/video.ts'
import { findPlayback } from '../../db/playback.ts'
import { revokeViewer } from '../../commands/viewers/revoke-viewer.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../domain/player-settings.ts'
import {
  SESSION_GRACE_MS,
  SESSION_TTL_MS,
  signSession,
  verifySession,
} from '../../security/session-token.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { deriveSessionKey } from './session.ts'
import { SITE } from '../../test/fixtures/viewer.ts'
import { openPlayerFixture } from '../../test/fixtures/player.ts'
import type { PlayerFixture } from '../../test/fixtures/player.ts'

let fixture: PlayerFixture
const AGENT = 'TestBrowser/1.0'
const DAY_MS = 86_400_000

beforeAll(async () => {
  fixture = await openPlayerFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  const em = fixture.db.em.fork()
  await em.nativeDelete(PlaybackSession, {})
  await em.nativeDelete(RevokedViewer, {})
  await em.nativeUpdate(Video, fixture.videoId, { deletedAt: null, status: 'ready' })
  await em.nativeUpdate(Account, fixture.accountId, { signingSecretVersion: 1 })
})

const sessions = () => fixture.db.em.fork().find(PlaybackSession, {})
const beat = (session: string, body?: unknown) =>
  fixture.ask('/sessions/heartbeat', { method: 'POST', session, body })
const licence = (session: string, keyId = fixture.keyId) => {
  const body = { kids: [keyId.toString('base64url')] }
  return fixture.ask('/licence/clearkey', { method: 'POST', session, body })
}
const codeOf = async (response: Response) => {
  const body = (await response.json()) as { error?: { code: string } }
  return [response.status, body.error?.code]
}
const claimsOf = (token: string, nowMs = Date.now()) => {
  const claims = verifySession(token, deriveSessionKey(fixture.masterKeys), nowMs)
  if (!claims) throw new Error('not a session')
  return claims
}
/** The same session with other claims, or as it was signed some time ago. */
const resign = (token: string, change: object, signedAtMs = Date.now()) =>
  signSession({ ...claimsOf(token), ...change }, deriveSessionKey(fixture.masterKeys), signedAtMs)

describe('a playback session', () => {
  it('is no row before its first key or heartbeat', async () => {
    await fixture.openPage({ vt: fixture.vtFor('ann') })
    expect(await sessions()).toEqual([])
  })

  it('is recorded with its first key: viewer, site and browser, and what it was granted', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const headers = { 'X-Playback-Session': session, 'User-Agent': AGENT }
    const body = JSON.stringify({ kids: [fixture.keyId.toString('base64url')] })
    const url = `${fixture.base}/licence/clearkey`
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
    const [row, ...others] = await sessions()
    expect(others).toEqual([])
    expect(row).toMatchObject({
      ...{ accountId: fixture.accountId, videoId: fixture.videoId, viewerId: 'ann' },
      ...{ refererHost: 'site.example', userAgent: AGENT, keyGrants: 2, positionMs: null },
    })
    expect(row?.startedAt.getTime()).toBe(claimsOf(session).startedAtMs)
  })

  it('has no viewer without a token, and none whose token is not verified', async () => {
    const forged = `${fixture.vtFor('ann').split('.')[0]}.${'A'.repeat(43)}`
    for (const options of [{}, { vt: forged }]) {
      const { session } = await fixture.openPage(options)
      await beat(session)
    }
    expect((await sessions()).map(({ viewerId }) => viewerId)).toEqual([null, null])
  })
})

describe('a heartbeat', () => {
  it('with an empty body renews the token and tells how many renditions there are', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const old = resign(session, {}, Date.now() - 200_000)
    const response = await beat(old)
    expect(response.status).toBe(200)
    const body = (await response.json()) as { session: string; renditions: number }
    expect(body).toEqual({ session: expect.any(String), renditions: 1 })
    expect(claimsOf(body.session, Date.now() + SESSION_TTL_MS - 60_000)).toEqual(claimsOf(session))
  })

  it('records position, watched time and bytes; the totals never decrease', async () => {
    const { session } = await fixture.openPage()
    await beat(session, { position_seconds: 30.5, watched_seconds: 20, bytes_loaded: 5000 })
    await beat(session, { position_seconds: 12, watched_seconds: 3, bytes_loaded: 100 })
    await beat(session)
    expect(await sessions()).toMatchObject([
      { positionMs: 12_000, watchedMs: 20_000, bytesLoaded: 5000 },
    ])
    await beat(session, { position_seconds: 9999, watched_seconds: 9999, bytes_loaded: 1e9 })
    const [row] = await sessions()
    expect(row).toMatchObject({ positionMs: 120_000, bytesLoaded: 1e9 })
    expect(row?.watchedMs).toBeGreaterThanOrEqual(40_000)
    expect(row?.watchedMs).toBeLessThan(1_000_000)
  })

  it.each([
    { position_seconds: -1, watched_seconds: '9', bytes_loaded: 1e300 },
    { position_seconds: null, watched_seconds: {}, bytes_loaded: [1] },
    ...['x', 7, null, [], [[]]],
  ])('with hostile values (%j) is one without values', async (body) => {
    const { session } = await fixture.openPage()
    expect((await beat(session, body)).status).toBe(200)
    expect(await sessions()).toMatchObject([{ positionMs: null, watchedMs: 0, bytesLoaded: 0 }])
  })

  it('whose body is no JSON, or too much, is refused as JSON and records nothing', async () => {
    const { session } = await fixture.openPage()
    const headers = { 'X-Playback-Session': session }
    for (const [body, status] of [
      ['{', 400],
      ['"'.padEnd(20_000, 'x'), 413],
    ] as const) {
      const url = `${fixture.base}/sessions/heartbeat`
      const response = await fetch(url, { method: 'POST', headers, body })
      expect(await codeOf(response)).toEqual([status, 'invalid_json'])
    }
    expect(await sessions()).toEqual([])
  })

  it('renews a token for a minute after it expired, and a licence asks for one that has not', async () => {
    const { session } = await fixture.openPage()
    const late = resign(session, {}, Date.now() - SESSION_TTL_MS - 5_000)
    expect(await codeOf(await licence(late))).toEqual([403, 'session_required'])
    expect((await beat(late)).status).toBe(200)
    const tooLate = resign(session, {}, Date.now() - SESSION_TTL_MS - SESSION_GRACE_MS - 1)
    expect(await codeOf(await beat(tooLate))).toEqual([403, 'session_required'])
    expect(await codeOf(await beat(''))).toEqual([403, 'session_required'])
  })

  it('goes on after the viewer token of the page has expired', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann', 1) })
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expect((await beat(session)).status).toBe(200)
    await expect(fixture.openPage({ vt: fixture.vtFor('ann', -1) })).resolves.toMatchObject({
      watermark: null,
    })
  })
})

describe('a session ends at its next renewal and its next licence', () => {
  const em = () => fixture.db.em.fork()
  it.each([
    [
      'secret_rotated',
      () => em().nativeUpdate(Account, fixture.accountId, { signingSecretVersion: 2 }),
    ],
    ['video_deleted', () => em().nativeUpdate(Video, fixture.videoId, { deletedAt: new Date() })],
    ['viewer_revoked', () => revokeViewer(em(), fixture.accountId, 'ann')],
    ['session_ended', () => em().nativeUpdate(Video, fixture.videoId, { status: 'failed' })],
    ['session_ended', () => em().nativeUpdate(PlaybackSession, {}, { endedAt: new Date() })],
  ])('with %s', async (code, happen) => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    expect((await licence(session)).status).toBe(200)
    await happen()
    const [before] = await sessions()
    expect(await codeOf(await licence(session))).toEqual([403, code])
    expect(await codeOf(await beat(session, { position_seconds: 50 }))).toEqual([403, code])
    const [after] = await sessions()
    expect(after).toMatchObject({ keyGrants: 1, positionMs: null, lastSeenAt: before?.lastSeenAt })
  })

  it('24 hours after its page was loaded, whether it has a row or not', async () => {
    const { session } = await fixture.openPage()
    const nearly = resign(session, { startedAtMs: Date.now() - DAY_MS + 60_000 })
    expect((await beat(nearly)).status).toBe(200)
    const old = resign(session, { startedAtMs: Date.now() - DAY_MS - 1000 })
    expect(await codeOf(await beat(old))).toEqual([403, 'session_ended'])
    expect(await codeOf(await licence(old))).toEqual([403, 'session_ended'])
  })

  it('and a revoked viewer begins none where a token is needed', async () => {
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

  it('keeps the viewer id that the token carries, whatever a watermark shows of it', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann\u202eeel') })
    expect((await beat(session)).status).toBe(200)
    const rows = await em().execute(
      'select viewer_id from playback_session order by started_at desc',
    )
    expect(rows[0]).toEqual({ viewer_id: 'ann\u202eeel' })
  })

  it('for another viewer being revoked not at all', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const anonymous = await fixture.openPage()
    await revokeViewer(fixture.db.em.fork(), fixture.accountId, 'eve')
    expect((await beat(session)).status).toBe(200)
    expect((await beat(anonymous.session)).status).toBe(200)
  })
})

describe('a licence that is refused', () => {
  const refusals = () => fixture.db.em.fork().find(SecurityEvent, { eventType: 'licence_refused' })
  beforeEach(() => fixture.db.em.fork().nativeDelete(SecurityEvent, {}))

  it('is one security event for each session and reason', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const second = await fixture.openPage()
    await revokeViewer(fixture.db.em.fork(), fixture.accountId, 'ann')
    await Promise.all([1, 2, 3].map(() => licence(session)))
    expect(await codeOf(await licence(second.session, Buffer.alloc(16)))).toEqual([
      403,
      'unknown_key',
    ])
    await fixture.db.em.fork().nativeUpdate(Account, fixture.accountId, { signingSecretVersion: 2 })
    await licence(session)
    expect(await refusals()).toMatchObject([
      { viewerId: 'ann', severity: 'medium', details: { reason: 'viewer_revoked' } },
      { viewerId: null, severity: 'medium', details: { reason: 'unknown_key' } },
      { viewerId: 'ann', severity: 'low', details: { reason: 'secret_rotated' } },
    ])
  })

  it('counts no grant, not even where other keys of the request are known', async () => {
    const { session } = await fixture.openPage()
    const kids = [fixture.keyId, Buffer.alloc(16)].map((id) => id.toString('base64url'))
    const path = '/licence/clearkey'
    const mixed = await fixture.ask(path, { method: 'POST', session, body: { kids } })
    expect(await codeOf(mixed)).toEqual([403, 'unknown_key'])
    expect(await sessions()).toMatchObject([{ keyGrants: 0 }])
  })

  it('by the address of a key is refused alike, whatever the address says', async () => {
    const { session } = await fixture.openPage()
    const at = (keyId: string) => fixture.ask(`/licence/clearkey/${keyId}`, { session })
    const good = await at(fixture.keyId.toString('hex'))
    expect(Buffer.from(await good.arrayBuffer())).toEqual(fixture.contentKey)
    for (const keyId of ['0'.repeat(32), 'x', '%00', `${fixture.keyId.toString('hex')}0`])
      expect(await codeOf(await at(keyId))).toEqual([403, 'unknown_key'])
  })
})

describe('the resume position', () => {
  const leaveAt = async (viewerId: string | null, seconds: number) => {
    const { session } = await fixture.openPage(
      viewerId === null ? {} : { vt: fixture.vtFor(viewerId) },
    )
    await beat(session, { position_seconds: seconds })
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

  it('comes with its age, and with a name for the viewer that is not their id', async () => {
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

  it('is null for whoever only claims to be that viewer, and without a token', async () => {
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
  it('gives pages that are asked for at the same time to each what is its own', async () => {
    for (const [viewerId, seconds] of [
      ['ann', 30],
      ['eve', 50],
    ] as const) {
      const { session } = await fixture.openPage({ vt: fixture.vtFor(viewerId) })
      await beat(session, { position_seconds: seconds })
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

  it('is asked once for a page, once for a licence and once for a heartbeat', async () => {
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
    expect(await cost(licence(session))).toBe(1)
    expect(await cost(beat(session, { position_seconds: 1 }))).toBe(1)
    pool.off('acquire', count)
  })
})

describe('secrets', () => {
  it('are in no log, not even when the database fails in mid-request', async () => {
    const vt = fixture.vtFor('ann')
    const { session } = await fixture.openPage({ vt })
    const rename = (from: string, to: string) =>
      fixture.db.em.fork().execute(`alter table ${from} rename to ${to}`)
    await rename('playback_session', 'hidden_session')
    try {
      expect((await licence(session)).status).toBe(500)
      expect((await beat(session, { position_seconds: 1 })).status).toBe(500)
      await expect(fixture.openPage({ vt })).rejects.toThrow('500')
    } finally {
      await rename('hidden_session', 'playback_session')
    }
    expect(fixture.logged()).toContain('request failed')
    for (const secret of [vt, session, fixture.contentKey.toString('base64url')])
      for (const part of secret.split('.')) expect(fixture.logged()).not.toContain(part)
  })

  it('are in no line about a request, of which there is one for each Request-Id', async () => {
    const vt = fixture.vtFor('ann')
    const path = `/${fixture.videoId}/${btoa(String(fixture.accountId))}`
    const page = await fetch(`${fixture.base}${path}?vt=${vt}`, { headers: { Referer: SITE } })
    const html = await page.text()
    const { session } = JSON.parse(/id="player-data">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as {
      session: string
    }
    const heartbeat = await beat(session)
    const refused = await fetch(`${fixture.base}/media/${fixture.videoId}/360p/9.m4s?vt=${vt}`)
    const lineOf = (response: Response) =>
      waitFor('the line', async () => {
        const id = response.headers.get('request-id') ?? ''
        const [line, ...more] = fixture
          .logged()
          .split('\n')
          .filter((one) => one.includes(id))
        expect(more).toEqual([])
        return line === undefined ? null : (JSON.parse(line) as Record<string, unknown>)
      })
    const { accountId } = fixture
    const facts = { accountId, msg: 'request', status: 200 }
    expect(await lineOf(page)).toMatchObject({ ...facts, route: '/:videoId/:account' })
    expect(await lineOf(heartbeat)).toMatchObject({ ...facts, route: '/sessions/heartbeat' })
    expect(await lineOf(refused)).toMatchObject({ route: 'segment', status: 404 })
    for (const secret of [vt, session])
      for (const part of secret.split('.')) expect(fixture.logged()).not.toContain(part)
  })

  it('stay out of what other hosts see of the page: they get its origin, not its address', async () => {
    const url = `${fixture.base}/${fixture.videoId}/${btoa(String(fixture.accountId))}?vt=${fixture.vtFor('a')}`
    const page = await fetch(url, { headers: { Referer: SITE } })
    expect(page.headers.get('referrer-policy')).toMatch(
      /^(strict-origin.*|same-origin|no-referrer)$/,
    )
  })
})
