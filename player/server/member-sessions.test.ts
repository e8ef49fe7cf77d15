import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeMember } from '../../commands/members/members.ts'
import { findSessionEnd } from '../../db/playback/playback-sessions.ts'
import { signMemberToken } from '../../security/tokens/member-token.ts'
import { insertMembersFixture } from '../../test/fixtures/members.ts'
import {
  openSessionFixture,
  statusAndCode,
  type SessionFixture,
} from '../../test/fixtures/playback-sessions.ts'

let fixture: SessionFixture

beforeAll(async () => {
  fixture = await openSessionFixture()
})
afterAll(() => fixture?.close())

it('a member who is removed from the account watches no longer than until the next request', async () => {
  const { db, accountId, sealedSigningSecret } = fixture
  const [leaving = 0, staying = 0] = await insertMembersFixture(db, accountId, 2)
  const open = async (memberId: number) => {
    const { vt } = signMemberToken(
      fixture.masterKeys,
      { id: accountId, sealedSigningSecret },
      memberId,
    )
    return (await fixture.openPage({ vt })).session
  }
  const [ended, other] = [await open(leaving), await open(staying)]
  expect((await fixture.licence(ended)).status).toBe(200)
  expect((await fixture.beat(ended)).status).toBe(200)
  const by = { kind: 'operator', id: null, name: 'root' } as const
  await db.em.fork().transactional((tx) => removeMember(tx, { accountId, memberId: leaving, by }))
  expect(await statusAndCode(await fixture.beat(ended))).toEqual([403, 'viewer_revoked'])
  expect(await statusAndCode(await fixture.licence(ended))).toEqual([403, 'viewer_revoked'])
  expect(await findSessionEnd(db.em.fork(), fixture.claimsOf(ended))).toBe('viewer_revoked')
  // A page that was opened before, or by the minute that is left of a token.
  expect(await statusAndCode(await fixture.licence(await open(leaving)))).toEqual([
    403,
    'viewer_revoked',
  ])
  expect((await fixture.beat(other)).status).toBe(200)
})
