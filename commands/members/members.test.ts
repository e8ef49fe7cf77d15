import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Member } from '../../db/entities/member.ts'
import { findMember, findRole, listMembers, listOperators } from '../../db/members/members.ts'
import { countPasskeys } from '../../db/members/passkeys.ts'
import { findSession, insertSession } from '../../db/members/write-dashboard-sessions.ts'
import type { Actor } from '../../domain/accounts/audit.ts'
import type { Role } from '../../domain/accounts/roles.ts'
import { PASSKEYS_MAX } from '../../domain/limits.ts'
import { insertSealedAccountFixture } from '../../test/fixtures/account.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../../test/fixtures/database.ts'
import {
  acceptInvitation,
  createInvitation,
  joinAccount,
  withdrawInvitation,
} from './invitations.ts'
import { changeRole, removeMember } from './members.ts'
import { setOperatorById } from './operators.ts'
import { addPasskey } from './passkeys.ts'

let database: DatabaseFixture
let accountId: number

const operator: Actor = { kind: 'operator', id: null, name: 'root' }
const owner: Actor = { kind: 'member', id: 1, name: 'owner@site.example' }

beforeAll(async () => {
  database = await openDatabaseFixture()
})

afterAll(() => database?.close())

const person = (email: string) => ({ email, name: 'Anna', passwordHash: '$argon2id$one' })

interface InviteOptions {
  email?: string
  by?: Actor
  grantsOperator?: boolean
}

async function invite(role: Role, options: InviteOptions = {}): Promise<string> {
  const { email = null, by = owner, grantsOperator = false } = options
  const facts = { accountId, role, email, by, grantsOperator }
  return (await createInvitation(database.em(), facts)).token
}

const accept = (token: string, email: string) =>
  database
    .em()
    .transactional((tx) => acceptInvitation(tx, token, { ...person(email), replacesMember: true }))

const inTransaction = <T>(
  work: Parameters<ReturnType<DatabaseFixture['em']>['transactional']>[0],
) => database.em().transactional(work) as Promise<T>

/** Makes a member of a new account; resolves to the member's id. */
async function memberOfNewAccount(role: Role = 'owner'): Promise<number> {
  accountId = await insertSealedAccountFixture(database.db)
  return (await accept(await invite(role), `${crypto.randomUUID()}@site.example`)).memberId
}

describe('an invitation', () => {
  it('makes its reader a member with its role, once', async () => {
    await memberOfNewAccount()
    const token = await invite('editor')
    const { memberId } = await accept(token, 'anna@site.example')
    expect(await findRole(database.em(), accountId, memberId)).toBe('editor')
    await expect(accept(token, 'ben@site.example')).rejects.toMatchObject({
      code: 'invitation_not_found',
    })
  })

  it('is used by one of two people who open it at the same time', async () => {
    await memberOfNewAccount()
    const token = await invite('reader')
    const results = await Promise.allSettled([
      accept(token, 'first@site.example'),
      accept(token, 'second@site.example'),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await listMembers(database.em(), accountId)).toHaveLength(2)
  })

  it('for one address is refused to another', async () => {
    await memberOfNewAccount()
    const token = await invite('reader', { email: 'cara@site.example' })
    await expect(accept(token, 'dora@site.example')).rejects.toMatchObject({
      code: 'invitation_not_found',
    })
    await expect(accept(token, 'cara@site.example')).resolves.toBeDefined()
  })

  it('of a member cannot set the password of an existing member', async () => {
    await memberOfNewAccount()
    const { memberId } = await accept(await invite('reader'), 'eva@site.example')
    await memberOfNewAccount()
    const token = await invite('owner')
    await expect(accept(token, 'eva@site.example')).rejects.toMatchObject({
      code: 'sign_in_to_accept',
    })
    expect((await findMember(database.em(), memberId))?.passwordHash).toBe('$argon2id$one')
    const member = { id: memberId, email: 'eva@site.example' }
    await inTransaction((tx) => joinAccount(tx, token, member))
    expect(await findRole(database.em(), accountId, memberId)).toBe('owner')
  })

  it('of the operator that names no address takes over no member of another account', async () => {
    const memberId = await memberOfNewAccount('reader')
    const email = (await findMember(database.em(), memberId))?.email ?? ''
    await memberOfNewAccount()
    const open = await invite('owner', { by: operator })
    await expect(accept(open, email)).rejects.toMatchObject({ code: 'sign_in_to_accept' })
    // The operator can name the member.
    await expect(
      accept(await invite('owner', { by: operator, email }), email),
    ).resolves.toBeDefined()
  })

  it('of the operator for a weaker role takes over no owner of the account', async () => {
    const memberId = await memberOfNewAccount()
    const email = (await findMember(database.em(), memberId))?.email ?? ''
    await expect(accept(await invite('editor', { by: operator }), email)).rejects.toMatchObject({
      code: 'sign_in_to_accept',
    })
    await expect(accept(await invite('owner', { by: operator }), email)).resolves.toBeDefined()
  })

  it.each(['is removed', 'gets another role'])(
    'of an owner who %s is withdrawn, so that it is no way back',
    async (what) => {
      const remaining = await memberOfNewAccount()
      const { memberId } = await accept(await invite('owner'), `${crypto.randomUUID()}@s.example`)
      const email = (await findMember(database.em(), memberId))?.email ?? ''
      const leaving: Actor = { kind: 'member', id: memberId, name: email }
      const token = await invite('owner', { by: leaving })
      const others = [await invite('reader'), await invite('reader', { by: operator })]
      const by: Actor = { kind: 'member', id: remaining, name: 'other@site.example' }
      await inTransaction((tx) =>
        what === 'is removed'
          ? removeMember(tx, { accountId, memberId, by })
          : changeRole(tx, { accountId, memberId, by }, 'editor'),
      )
      await expect(accept(token, 'back@site.example')).rejects.toMatchObject({
        code: 'invitation_not_found',
      })
      for (const other of others)
        await expect(accept(other, `${crypto.randomUUID()}@s.example`)).resolves.toBeDefined()
      const rows = await database.execute(
        `select actor_name, before from audit_entry
         where account_id = ? and action = 'invitation.withdraw'`,
        [accountId],
      )
      expect(rows).toEqual([
        { actor_name: 'other@site.example', before: { role: 'owner', email: null } },
      ])
    },
  )

  it('is refused after it was withdrawn or has expired', async () => {
    await memberOfNewAccount()
    const invitation = { accountId, role: 'reader', email: null, by: owner } as const
    const { token, invitation: made } = await createInvitation(database.em(), invitation)
    await withdrawInvitation(database.em(), accountId, made.id)
    await expect(accept(token, 'f@site.example')).rejects.toMatchObject({
      code: 'invitation_not_found',
    })
    const late = await createInvitation(database.em(), invitation)
    await database.execute(
      `update invitation set expires_at = now() - interval '1 second' where id = ?`,
      [late.invitation.id],
    )
    await expect(accept(late.token, 'g@site.example')).rejects.toMatchObject({
      code: 'invitation_not_found',
    })
  })

  it('for less than the role of a member leaves that role', async () => {
    const memberId = await memberOfNewAccount('owner')
    const member = { id: memberId, email: 'h@site.example' }
    const token = await invite('reader')
    await inTransaction((tx) => joinAccount(tx, token, member))
    expect(await findRole(database.em(), accountId, memberId)).toBe('owner')
  })

  it('of another account cannot be withdrawn', async () => {
    await memberOfNewAccount()
    const invitation = { accountId, role: 'reader', email: null, by: owner } as const
    const { invitation: made } = await createInvitation(database.em(), invitation)
    await expect(withdrawInvitation(database.em(), accountId + 1, made.id)).rejects.toMatchObject({
      code: 'invitation_not_found',
    })
  })
})

const startSession = (memberId: number, tokenHash: string) =>
  insertSession(database.em(), {
    memberId,
    tokenHash,
    ip: '127.0.0.1',
    agent: 'test',
    elevatedUntil: new Date(),
  })

describe('an operator of the installation', () => {
  const isOperator = async (id: number) => (await findMember(database.em(), id))?.isOperator
  const grant = (memberId: number, granted: boolean) =>
    setOperatorById(database.em(), memberId, { isOperator: granted, by: operator })
  const entriesOf = (memberId: number) =>
    database.execute<object>(
      `select account_id as account, action, actor_kind as by, before, after from audit_entry
       where subject = ? and action like 'member.%_operator' order by id`,
      [String(memberId)],
    )

  it('is the reader of a link that grants it, with any role, and no other member', async () => {
    const first = await memberOfNewAccount()
    expect(await isOperator(first)).toBe(false)
    const plain = await accept(await invite('owner', { by: operator }), 'plain@site.example')
    expect(await isOperator(plain.memberId)).toBe(false)
    const token = await invite('reader', { by: operator, grantsOperator: true })
    const { memberId } = await accept(token, 'operator@site.example')
    expect(await isOperator(memberId)).toBe(true)
    expect(await findRole(database.em(), accountId, memberId)).toBe('reader')
    expect(await entriesOf(memberId)).toEqual([
      {
        account: accountId,
        action: 'member.grant_operator',
        by: 'member',
        before: { is_operator: false },
        after: { is_operator: true },
      },
    ])
  })

  it('is also a member who exists already, signed in or not, with the same role', async () => {
    for (const isSignedIn of [true, false]) {
      const id = await memberOfNewAccount()
      const email = (await findMember(database.em(), id))?.email ?? ''
      const member = { id, email }
      const token = await invite('reader', { by: operator, grantsOperator: true, email })
      await (isSignedIn
        ? inTransaction((tx) => joinAccount(tx, token, member))
        : accept(token, member.email))
      expect(await isOperator(id)).toBe(true)
      expect(await findRole(database.em(), accountId, id)).toBe('owner')
    }
  })

  it('is never made by the link of a member', async () => {
    await memberOfNewAccount()
    const refusal = { constraint: 'invitation_grants_operator_check' }
    await expect(invite('reader', { by: owner, grantsOperator: true })).rejects.toMatchObject(
      refusal,
    )
  })

  it('is not taken over by the reader of a link of the operator that names no address', async () => {
    const id = await memberOfNewAccount()
    await grant(id, true)
    const email = (await findMember(database.em(), id))?.email ?? ''
    const open = await invite('owner', { by: operator })
    await expect(accept(open, email)).rejects.toMatchObject({ code: 'sign_in_to_accept' })
    await inTransaction((tx) => joinAccount(tx, open, { id, email }))
    const wayBack = await invite('owner', { by: operator, grantsOperator: true })
    await expect(accept(wayBack, email)).resolves.toMatchObject({ memberId: id })
  })

  it('is not made by a link that is for another address', async () => {
    const id = await memberOfNewAccount()
    const email = (await findMember(database.em(), id))?.email ?? ''
    const options = { by: operator, grantsOperator: true, email: 'chosen@site.example' }
    const token = await invite('reader', options)
    await expect(
      inTransaction((tx) => joinAccount(tx, token, { id, email })),
    ).rejects.toMatchObject({ code: 'invitation_not_found' })
    expect(await isOperator(id)).toBe(false)
  })

  it('stays one under every other link, role and account', async () => {
    const id = await memberOfNewAccount()
    await grant(id, true)
    const email = (await findMember(database.em(), id))?.email ?? ''
    const [former, token] = [accountId, await invite('reader', { by: operator, email })]
    await accept(token, email)
    await accept(await invite('owner'), 'another-owner@site.example')
    const change = { accountId: former, memberId: id, by: operator }
    await inTransaction((tx) => changeRole(tx, change, 'reader'))
    await inTransaction((tx) => removeMember(tx, change))
    expect(await isOperator(id)).toBe(true)
    expect(await listOperators(database.em())).toContainEqual({
      id,
      email,
      name: 'Anna',
      accountIds: [],
    })
  })

  it('is granted and revoked once, in the log of each account, also by two at the same time', async () => {
    const id = await memberOfNewAccount()
    const former = accountId
    const email = (await findMember(database.em(), id))?.email ?? ''
    await memberOfNewAccount()
    const token = await invite('reader')
    await inTransaction((tx) => joinAccount(tx, token, { id, email }))
    await Promise.all([grant(id, true), grant(id, true)])
    await Promise.all([grant(id, false), grant(id, false)])
    expect(await isOperator(id)).toBe(false)
    const actions = ['member.grant_operator', 'member.revoke_operator']
    const expected = actions.flatMap((action) =>
      [former, accountId].map((account) => ({ account, action, by: 'operator' })),
    )
    expect(await entriesOf(id)).toMatchObject(expected)
    await expect(grant(999_999, true)).rejects.toMatchObject({ code: 'member_not_found' })
  })

  it('without an account is in the log of the installation', async () => {
    const id = await database.em().insert(Member, { email: 'gone@s.example', passwordHash: null })
    await grant(id, true)
    expect(await entriesOf(id)).toMatchObject([{ account: null, action: 'member.grant_operator' }])
  })
})

describe('the last owner of an account', () => {
  it('cannot leave or take another role', async () => {
    const memberId = await memberOfNewAccount()
    const member = { accountId, memberId, by: operator }
    await expect(inTransaction((tx) => removeMember(tx, member))).rejects.toMatchObject({
      code: 'last_owner',
    })
    await expect(inTransaction((tx) => changeRole(tx, member, 'reader'))).rejects.toMatchObject({
      code: 'last_owner',
    })
  })

  it('remains when two owners leave at the same time', async () => {
    const first = await memberOfNewAccount()
    const second = (await accept(await invite('owner'), `${crypto.randomUUID()}@s.example`))
      .memberId
    const results = await Promise.allSettled(
      [first, second].map((memberId) =>
        inTransaction((tx) => removeMember(tx, { accountId, memberId, by: operator })),
      ),
    )
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await listMembers(database.em(), accountId)).toHaveLength(1)
  })
})

describe('a member', () => {
  it('of another account is not found', async () => {
    const stranger = await memberOfNewAccount()
    await memberOfNewAccount()
    const member = { accountId, memberId: stranger, by: operator }
    await expect(inTransaction((tx) => removeMember(tx, member))).rejects.toMatchObject({
      code: 'member_not_found',
    })
    await expect(inTransaction((tx) => changeRole(tx, member, 'owner'))).rejects.toMatchObject({
      code: 'member_not_found',
    })
  })
})

describe('passkeys', () => {
  it('are limited, also when two are added at the same time', async () => {
    const id = await memberOfNewAccount()
    const add = () =>
      inTransaction((tx) =>
        addPasskey(
          tx,
          { id, email: 'anna@site.example' },
          {
            id: crypto.randomUUID(),
            publicKey: new Uint8Array(8),
            counter: 0,
            transports: [],
            name: 'Key',
          },
        ),
      )
    for (let made = 1; made < PASSKEYS_MAX; made += 1) await add()
    const results = await Promise.allSettled([add(), add(), add()])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await countPasskeys(database.em(), id)).toBe(PASSKEYS_MAX)
  })
})

describe('a session', () => {
  it('ends seven days after its last request and thirty days after the sign-in', async () => {
    const memberId = await memberOfNewAccount()
    const hash = 'd'.repeat(64)
    const id = await startSession(memberId, hash)
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
    expect(await findSession(database.em(), hash, inDays(6.9))).not.toBeNull()
    // That request was noted, so the seven days count from it.
    expect(await findSession(database.em(), hash, inDays(13.8))).not.toBeNull()
    expect(await findSession(database.em(), hash, inDays(21))).toBeNull()
    await database.execute('update dashboard_session set last_seen_at = ? where id = ?', [
      inDays(30),
      id,
    ])
    expect(await findSession(database.em(), hash, inDays(29.9))).not.toBeNull()
    expect(await findSession(database.em(), hash, inDays(30.1))).toBeNull()
  })
})
