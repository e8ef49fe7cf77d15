import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SecurityEvent } from '../../db/entities/event.ts'
import { SESSION_GRACE_MS, SESSION_TTL_MS } from '../../security/tokens/session-token.ts'
import { describeOddRequests } from '../../test/fixtures/odd-requests.ts'
import {
  openSessionFixture,
  statusAndCode,
  type SessionFixture,
} from '../../test/fixtures/playback-sessions.ts'
import { paths } from './paths.ts'
import { SESSION_HEADER } from './session.ts'

let fixture: SessionFixture

beforeAll(async () => {
  fixture = await openSessionFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  await fixture.reset()
  await fixture.db.em.fork().nativeDelete(SecurityEvent, {})
})

const events = () => fixture.db.em.fork().find(SecurityEvent, {}, { orderBy: { id: 'asc' } })
const report = (session: string, body: unknown) =>
  fixture.ask(paths.incidents, { method: 'POST', session, body })
const tampered = (how: string, more: object = {}) => ({ kind: 'watermark_tampered', how, ...more })

describeOddRequests(async () => {
  const { session } = await fixture.openPage()
  const headers = { [SESSION_HEADER]: session }
  return { base: fixture.base, path: paths.heartbeat, headers, maxBytes: 16 * 1024 }
})

describe('a heartbeat', () => {
  it('with an empty body renews the token and returns the number of renditions', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const old = fixture.resign(session, {}, Date.now() - 200_000)
    const response = await fixture.beat(old)
    expect(response.status).toBe(200)
    const body = (await response.json()) as { session: string; renditions: number }
    expect(body).toEqual({
      session: expect.any(String),
      renditions: 1,
      is_complete: true,
      next_in_seconds: expect.closeTo(59, -0.5),
      preparation: null,
    })
    expect(fixture.claimsOf(body.session, Date.now() + SESSION_TTL_MS - 60_000)).toEqual(
      fixture.claimsOf(session),
    )
  })

  it.each([
    ['queued', {}, 5],
    ['queued', { is_waiting: true }, 60],
    ['processing', {}, 5],
    ['playable', {}, 5],
    ['playable', { is_waiting: true }, 5],
    ['ready', {}, 60],
  ] as const)(
    'of a %s video (%j) says that the next one is due in %i seconds',
    async (status, body, seconds) => {
      const { session } = await fixture.openPage()
      await fixture.setVideo({ status })
      const response: unknown = await (await fixture.beat(session, body)).json()
      const { next_in_seconds: next } = response as { next_in_seconds: number }
      expect(next).toBeLessThanOrEqual(seconds)
      expect(next).toBeGreaterThanOrEqual(seconds * 0.96)
    },
  )

  it('records position, watched time and bytes; the totals never decrease', async () => {
    const { session } = await fixture.openPage()
    await fixture.beat(session, { position_seconds: 30.5, watched_seconds: 20, bytes_loaded: 5000 })
    await fixture.beat(session, { position_seconds: 12, watched_seconds: 3, bytes_loaded: 100 })
    await fixture.beat(session)
    expect(await fixture.sessions()).toMatchObject([
      { positionMs: 12_000, watchedMs: 20_000, bytesLoaded: 5000 },
    ])
    await fixture.beat(session, {
      position_seconds: 9999,
      watched_seconds: 9999,
      bytes_loaded: 1e9,
    })
    const [row] = await fixture.sessions()
    expect(row).toMatchObject({ positionMs: 120_000, bytesLoaded: 1e9 })
    expect(row?.watchedMs).toBeGreaterThanOrEqual(40_000)
    expect(row?.watchedMs).toBeLessThan(1_000_000)
  })

  it.each([
    { position_seconds: -1, watched_seconds: '9', bytes_loaded: 1e300 },
    { position_seconds: null, watched_seconds: {}, bytes_loaded: [1] },
    'x',
    7,
    null,
    [],
    [[]],
  ])('with hostile values (%j) counts as one without values', async (body) => {
    const { session } = await fixture.openPage()
    expect((await fixture.beat(session, body)).status).toBe(200)
    expect(await fixture.sessions()).toMatchObject([
      { positionMs: null, watchedMs: 0, bytesLoaded: 0 },
    ])
  })

  it('with invalid JSON or too large a body is refused with JSON and records nothing', async () => {
    const { session } = await fixture.openPage()
    const headers = { [SESSION_HEADER]: session }
    for (const [body, ...refusal] of [
      ['{', 400, 'invalid_json'],
      ['"'.padEnd(20_000, 'x'), 413, 'payload_too_large'],
    ] as const) {
      const url = fixture.base + paths.heartbeat
      const response = await fetch(url, { method: 'POST', headers, body })
      expect(await statusAndCode(response)).toEqual(refusal)
    }
    expect(await fixture.sessions()).toEqual([])
  })

  it('renews a token up to a minute after it expired; a licence does not accept it', async () => {
    const { session } = await fixture.openPage()
    const late = fixture.resign(session, {}, Date.now() - SESSION_TTL_MS - 5_000)
    expect(await statusAndCode(await fixture.licence(late))).toEqual([403, 'session_required'])
    expect((await fixture.beat(late)).status).toBe(200)
    const tooLate = fixture.resign(session, {}, Date.now() - SESSION_TTL_MS - SESSION_GRACE_MS - 1)
    expect(await statusAndCode(await fixture.beat(tooLate))).toEqual([403, 'session_required'])
    expect(await statusAndCode(await fixture.beat(''))).toEqual([403, 'session_required'])
  })

  it('continues after the viewer token of the page has expired', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann', 1) })
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expect((await fixture.beat(session)).status).toBe(200)
    await expect(fixture.openPage({ vt: fixture.vtFor('ann', -1) })).resolves.toMatchObject({
      watermark: null,
    })
  })
})

describe('an incident', () => {
  it('is one security event an hour, with viewer and video, for each viewer and kind of tampering', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const responses = await Promise.all(
      ['removed', 'removed', 'covered', 'removed'].map((how) => report(session, tampered(how))),
    )
    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    const recorded = (await events()).map(
      ({ eventType, severity, videoId, viewerId, details }) => ({
        eventType,
        severity,
        videoId,
        viewerId,
        details,
      }),
    )
    const event = { eventType: 'watermark_tampered', severity: 'high', viewerId: 'ann' }
    expect(recorded).toHaveLength(2)
    for (const how of ['removed', 'covered'])
      expect(recorded).toContainEqual({ ...event, videoId: fixture.videoId, details: { how } })
    const second = await fixture.openPage({ vt: fixture.vtFor('ann') })
    await report(second.session, tampered('removed'))
    const counts = (await events()).map(({ details }) => [details.how, details.count ?? 1])
    expect(Object.fromEntries(counts)).toEqual({ covered: 1, removed: 2 })
  })

  it.each([
    undefined,
    {},
    null,
    'x',
    [],
    { kind: 'watermark_tampered' },
    tampered('sideways'),
    { kind: 'other', how: 'removed' },
    tampered('removed', { more: 1 }),
    tampered('removed', { stopped: 'yes' }),
  ])('with an unknown form (%j) is refused with 400', async (body) => {
    const { session } = await fixture.openPage()
    const response = await report(session, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_incident' } })
    expect(await events()).toEqual([])
  })

  it('needs a session', async () => {
    expect((await report('', tampered('removed'))).status).toBe(403)
  })

  it('after which the player stopped ends the session: no renewal, no key', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const beat = () => fixture.ask('/sessions/heartbeat', { method: 'POST', session })
    await report(session, tampered('hidden'))
    expect((await beat()).status).toBe(200)
    await report(session, tampered('hidden', { stopped: true }))
    const response = await beat()
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: { code: 'session_ended' } })
    const body = { kids: [fixture.keyId.toString('base64url')] }
    const licence = await fixture.ask('/licence/clearkey', { method: 'POST', session, body })
    expect(licence.status).toBe(403)
  })
})
