import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { revokeViewer } from '../../../commands/viewers/revoke-viewer.ts'
import { Account } from '../../../db/entities/account.ts'
import { SecurityEvent } from '../../../db/entities/event.ts'
import { licences, playbackSessions } from '../../../metrics/playback.ts'
import {
  openSessionFixture,
  statusAndCode,
  type SessionFixture,
} from '../../../test/fixtures/playback-sessions.ts'
import { countedSince } from '../../../test/infrastructure/counted.ts'
import { paths } from '../paths.ts'

let fixture: SessionFixture

beforeAll(async () => {
  fixture = await openSessionFixture()
})
afterAll(() => fixture.close())
beforeEach(() => fixture.reset())

describe('a licence that is refused', () => {
  const refusals = () => fixture.db.em.fork().find(SecurityEvent, { eventType: 'licence_refused' })
  beforeEach(() => fixture.db.em.fork().nativeDelete(SecurityEvent, {}))

  it('is one security event for each session and reason', async () => {
    const [counted, sessions] = [await countedSince(licences), await countedSince(playbackSessions)]
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const second = await fixture.openPage()
    await revokeViewer(fixture.db.em.fork(), fixture.accountId, 'ann')
    await Promise.all([1, 2, 3].map(() => fixture.licence(session)))
    expect(await statusAndCode(await fixture.licence(second.session, Buffer.alloc(16)))).toEqual([
      403,
      'unknown_key',
    ])
    await fixture.db.em.fork().nativeUpdate(Account, fixture.accountId, { signingSecretVersion: 2 })
    await fixture.licence(session)
    expect(await refusals()).toMatchObject([
      { viewerId: 'ann', severity: 'medium', details: { reason: 'viewer_revoked' } },
      { viewerId: null, severity: 'medium', details: { reason: 'unknown_key' } },
      { viewerId: 'ann', severity: 'low', details: { reason: 'secret_rotated' } },
    ])
    expect(await sessions()).toEqual({ '': 2 })
    expect(await counted()).toEqual({
      'clearkey viewer_revoked': 3,
      'clearkey unknown_key': 1,
      'clearkey secret_rotated': 1,
    })
  })

  it('counts no grant, even if the request also names known keys', async () => {
    const { session } = await fixture.openPage()
    const kids = [fixture.keyId, Buffer.alloc(16)].map((id) => id.toString('base64url'))
    const mixed = await fixture.ask(paths.clearKeyLicence, {
      method: 'POST',
      session,
      body: { kids },
    })
    expect(await statusAndCode(mixed)).toEqual([403, 'unknown_key'])
    expect(await fixture.sessions()).toMatchObject([{ keyGrants: 0 }])
  })

  it('by the address of a key is refused in the same way, for any invalid address', async () => {
    const counted = await countedSince(licences)
    const { session } = await fixture.openPage()
    const at = (keyId: string) => fixture.ask(paths.clearKey(keyId), { session })
    const good = await at(fixture.keyId.toString('hex'))
    expect(Buffer.from(await good.arrayBuffer())).toEqual(fixture.contentKey)
    for (const keyId of ['0'.repeat(32), 'x', '%00', `${fixture.keyId.toString('hex')}0`])
      expect(await statusAndCode(await at(keyId))).toEqual([403, 'unknown_key'])
    // Three of the four addresses are not those of a key.
    expect(await counted()).toEqual({ 'clearkey served': 1, 'clearkey unknown_key': 1 })
  })
})
