import { beforeAll, describe, expect, it } from 'vitest'
import { appendEvent } from '../../commands/events.ts'
import { changeRole, removeMember } from '../../commands/members/members.ts'
import type { EntityManager } from '../../db/database.ts'
import { findRole } from '../../db/members/members.ts'
import type { Actor } from '../../domain/accounts/audit.ts'
import { PASSWORD, setUpDashboardFixture } from '../../test/fixtures/dashboard.ts'
import { createObjects, type Objects } from '../../test/fixtures/foreign-objects.ts'
import { countLockWaits } from '../../test/fixtures/locks.ts'
import { bodyOf, operationPath, takesBody } from '../../test/fixtures/operation-calls.ts'
import { until } from '../../test/infrastructure/wait-for.ts'
import { MOUNTED_OPERATIONS } from './operations.ts'

const t = setUpDashboardFixture()
let objects: Objects

beforeAll(async () => {
  objects = await createObjects(t, 'owner')
})

const operator: Actor = { kind: 'operator', id: null, name: 'root' }

async function newOwner() {
  const { id, email } = await t.insertMember(`${crypto.randomUUID()}@site.example`, 'owner')
  await t.execute('update member set is_operator = true where id = ?', [id])
  return { id, email, token: await t.startSession(id) }
}

interface JsonResponse {
  status: number
  code: string | undefined
}

/**
 * Sends a request while a transaction is open that does `work`, and commits it once the request waits for a lock. The
 * request has passed its first checks by then.
 */
async function sendDuring(
  work: (tx: EntityManager) => Promise<unknown>,
  send: () => Promise<Response>,
): Promise<JsonResponse & { hasWaited: boolean }> {
  let response: Response | undefined
  let hasWaited = false
  let sending = Promise.resolve()
  await t.em().transactional(async (tx) => {
    await work(tx)
    sending = send().then((reply) => void (response = reply))
    await until(async () => response !== undefined || (hasWaited = (await countLockWaits(t)) > 0))
  })
  await sending
  const text = (await response?.text()) ?? ''
  const json = text.startsWith('{') ? (JSON.parse(text) as { error?: { code: string } }) : {}
  return { status: response?.status ?? 0, code: json.error?.code, hasWaited }
}

/** Ends the sessions of a member. */
const endSessions = (id: number) => (tx: EntityManager) =>
  tx.execute('delete from dashboard_session where member_id = ?', [id])

const path = (rest: string) => `/api/accounts/${t.accountId}${rest}`

describe('an owner whose role is taken away while a request of the owner waits', () => {
  it('does not get it back by that request', async () => {
    const { id, token } = await newOwner()
    const reply = await sendDuring(
      (tx) => changeRole(tx, { accountId: t.accountId, memberId: id, by: operator }, 'reader'),
      () => t.send('PATCH', path(`/members/${id}`), { token, body: { role: 'owner' } }),
    )
    expect(reply).toEqual({ status: 403, code: 'insufficient_role', hasWaited: true })
    expect(await findRole(t.em(), t.accountId, id)).toBe('reader')
  })

  it('leaves no link that leads back into the account', async () => {
    const { id, email, token } = await newOwner()
    const reply = await sendDuring(
      (tx) => removeMember(tx, { accountId: t.accountId, memberId: id, by: operator }),
      () => t.send('POST', path('/invitations'), { token, body: { role: 'owner' } }),
    )
    expect(reply).toEqual({ status: 404, code: 'account_not_found', hasWaited: true })
    expect(await t.execute('select id from invitation where invited_by = ?', [email])).toEqual([])
  })

  it('joins no other account from a session that has ended', async () => {
    const { id, token } = await newOwner()
    const { json } = await t.call('stranger', 'POST', '/invitations', {
      accountId: t.otherAccountId,
      body: { role: 'owner' },
    })
    const form = { link: String(json.link).split('#')[1] ?? '' }
    const join = () => t.send('POST', '/welcome/join', { token, form })
    expect(await sendDuring(endSessions(id), join)).toMatchObject({ status: 401, hasWaited: true })
    expect(await findRole(t.em(), t.otherAccountId, id)).toBeNull()
  })
})

describe('a member who is removed while a request of the member waits for events', () => {
  it('learns nothing of later ones', async () => {
    const { id, token } = await newOwner()
    // The request notes its time in the session, which says that it has begun.
    const longAgo = "now() - interval '1 hour'"
    await t.execute(`update dashboard_session set last_seen_at = ${longAgo} where member_id = ?`, [
      id,
    ])
    const { accountId } = t
    // No event of the objects of this test is of the type.
    const waiting = t.send('GET', path('/v1/events?wait_seconds=25&type=payment.paid'), { token })
    await until(async () => {
      const [session] = await t.execute<{ has_begun: boolean }>(
        `select last_seen_at > now() - interval '1 minute' as has_begun from dashboard_session where member_id = ?`,
        [id],
      )
      return session?.has_begun === true
    })
    await t.em().transactional((tx) => removeMember(tx, { accountId, memberId: id, by: operator }))
    const data = {
      id: 1,
      object: 'payment',
      amount: 4900,
      plan_type: 'pro',
      billing_cycle: 'monthly',
    } as const
    await appendEvent(t.em(), { accountId, type: 'payment.paid', data })
    const response = await waiting
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { error: { code: 'account_not_found' } },
    ])
  })
})

describe('two requests that take away the rights of each other', () => {
  const statusOf = async (sent: Promise<Response>) => (await sent).status

  it('end one after the other: of two owners, one becomes a reader', async () => {
    const [one, other] = [await newOwner(), await newOwner()]
    const demote = ({ id }: { id: number }, { token }: { token: string }) =>
      statusOf(t.send('PATCH', path(`/members/${id}`), { token, body: { role: 'reader' } }))
    const statuses = await Promise.all([demote(one, other), demote(other, one)])
    expect(new Set(statuses)).toEqual(new Set([200, 403]))
  })

  it('end one after the other: of two sessions, one ends', async () => {
    const { id, token } = await newOwner()
    const other = await t.startSession(id)
    const endOthers = (own: string) =>
      statusOf(t.send('DELETE', path('/me/sessions?except=current'), { token: own }))
    const statuses = await Promise.all([endOthers(token), endOthers(other)])
    expect(new Set(statuses)).toEqual(new Set([200, 401]))
  })
})

describe('a session whose token is replaced while a request with the old one waits', () => {
  it('makes no invitation by it', async () => {
    const { id, email, token } = await newOwner()
    const reply = await sendDuring(
      (tx) =>
        tx.execute('update dashboard_session set token_hash = ? where member_id = ?', [
          crypto.randomUUID(),
          id,
        ]),
      () => t.send('POST', path('/invitations'), { token, body: { role: 'owner' } }),
    )
    expect(reply).toEqual({ status: 401, code: 'not_signed_in', hasWaited: true })
    expect(await t.execute('select id from invitation where invited_by = ?', [email])).toEqual([])
  })
})

/** Why a call of this test ends before its transaction. */
const ENDS_EARLIER: Record<string, string> = {
  checkWebhookSecret: 'writes nothing',
  createPlaybackToken: 'writes nothing',
  playAsMember: 'writes nothing',
  testDomain: 'writes nothing',
  testRecentHosts: 'writes nothing',
  createPreviewTicket: 'writes nothing',
  startPasskey: 'writes nothing',
  startConfirmation: 'writes nothing',
  testRecordStore: 'no record store is set',
  createVideo: 'the link returns nothing',
  retryFailedVideo: 'the video has not failed',
  createPasskey: 'needs an authenticator',
  confirmWithPasskey: 'needs an authenticator',
}

describe('a session that ends while a request of it waits', () => {
  const writes = MOUNTED_OPERATIONS.filter(({ method }) => method !== 'get')

  it.each(writes)('writes nothing more: $id', async (operation) => {
    const { id, token } = await newOwner()
    const password = operation.id === 'confirmIdentity' && { password: PASSWORD }
    const query = operation.id === 'endMyOtherSessions' ? '?except=current' : ''
    const body = takesBody(operation) && { body: { ...bodyOf(operation), ...password } }
    const reply = await sendDuring(endSessions(id), () =>
      t.send(operation.method.toUpperCase(), path(operationPath(operation, [objects]) + query), {
        token,
        ...body,
      }),
    )
    if (operation.id in ENDS_EARLIER) expect(reply.hasWaited).toBe(false)
    else expect(reply).toEqual({ status: 401, code: 'not_signed_in', hasWaited: true })
    expect(await t.execute('select action from audit_entry where actor_id = ?', [id])).toEqual([])
  })
})
