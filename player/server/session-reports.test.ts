import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { SecurityEvent } from '../../db/entities/event.ts'
import { openPlayerFixture } from '../../test/fixtures/player.ts'
import type { PlayerFixture } from '../../test/fixtures/player.ts'

let fixture: PlayerFixture

beforeAll(async () => {
  fixture = await openPlayerFixture()
})
afterAll(() => fixture.close())
beforeEach(() => fixture.db.em.fork().nativeDelete(SecurityEvent, {}))

const events = () => fixture.db.em.fork().find(SecurityEvent, {}, { orderBy: { id: 'asc' } })
const tell = (session: string, body: unknown) =>
  fixture.ask('/sessions/incidents', { method: 'POST', session, body })
const tampered = (how: string, more: object = {}) => ({ kind: 'watermark_tampered', how, ...more })

describe('an incident', () => {
  it('is a security event with viewer and video, once for each session and way', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const answers = await Promise.all(
      ['removed', 'removed', 'covered', 'removed'].map((how) => tell(session, tampered(how))),
    )
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    const recorded = (await events()).map(
      ({ eventType, severity, videoId, viewerId, details }) => ({
        ...{ eventType, severity, videoId, viewerId, details },
      }),
    )
    const event = { eventType: 'watermark_tampered', severity: 'high', viewerId: 'ann' }
    expect(recorded).toHaveLength(2)
    for (const how of ['removed', 'covered'])
      expect(recorded).toContainEqual({ ...event, videoId: fixture.videoId, details: { how } })
    const second = await fixture.openPage({ vt: fixture.vtFor('ann') })
    await tell(second.session, tampered('removed'))
    expect(await events()).toHaveLength(3)
  })

  it.each([
    ...[undefined, {}, null, 'x', [], { kind: 'watermark_tampered' }, tampered('sideways')],
    ...[{ kind: 'other', how: 'removed' }, tampered('removed', { more: 1 })],
    tampered('removed', { stopped: 'yes' }),
  ])('that is none (%j) is refused with 400', async (body) => {
    const { session } = await fixture.openPage()
    const response = await tell(session, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_incident' } })
    expect(await events()).toEqual([])
  })

  it('needs a session', async () => {
    expect((await tell('', tampered('removed'))).status).toBe(403)
  })

  it('at which the player gave up ends the session: no renewal, no key', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const beat = () => fixture.ask('/sessions/heartbeat', { method: 'POST', session })
    await tell(session, tampered('hidden'))
    expect((await beat()).status).toBe(200)
    await tell(session, tampered('hidden', { stopped: true }))
    const response = await beat()
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: { code: 'session_ended' } })
    const body = { kids: [fixture.keyId.toString('base64url')] }
    const licence = await fixture.ask('/licence/clearkey', { method: 'POST', session, body })
    expect(licence.status).toBe(403)
  })
})
