import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openDatabaseFixture } from '../../test/fixtures/database.ts'
import type { DatabaseFixture } from '../../test/fixtures/database.ts'
import { insertSealedAccountFixture } from '../../test/fixtures/account.ts'
import { insertSession, findSession } from '../../db/dashboard-sessions.ts'
import { findMember, findRole, listMembers } from '../../db/members.ts'
import { countPasskeys } from '../../db/passkeys.ts'
import type { Actor } from '../../domain/audit.ts'
import { PASSKEYS_MAX } from '../../domain/limits.ts'
import type { Role } from '../../domain/roles.ts'
import {
  acceptInvitation,
  createInvitation,
  joinAccount,
  withdrawInvitation,
} from './invitations.ts'
import { changePassword, changeRole, removeMember } from './members.ts'
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

async function invite(role: Role, options: { email?: string; by?: Actor } = {}): Promise<string> {
  const { email = null, by = owner } = options
  return (await createInvitation(database.em(), { accountId, role, email, by })).token
}

const accept = (token: string, email: string) =>
  database.em().transactional((tx) => acceptInvitation(tx, token, person(email)))

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

  it('of the operator is the way back in: it sets the password and ends all sessions', async () => {
    const memberId = await memberOfNewAccount()
    const email = (await findMember(database.em(), memberId))?.email ?? ''
    await startSession(memberId, 'a'.repeat(64))
    const token = await invite('owner', { by: operator })
    await inTransaction((tx) =>
      acceptInvitation(tx, token, { ...person(email), passwordHash: '$argon2id$two' }),
    )
    expect((await findMember(database.em(), memberId))?.passwordHash).toBe('$argon2id$two')
    expect(await findSession(database.em(), 'a'.repeat(64), new Date())).toBeNull()
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
    await database.execute('update invitation set expires_at = now() where id = ?', [
      late.invitation.id,
    ])
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

  it('who changes the password stays signed in only here', async () => {
    const memberId = await memberOfNewAccount()
    const sessionId = await startSession(memberId, 'b'.repeat(64))
    await startSession(memberId, 'c'.repeat(64))
    await inTransaction((tx) => changePassword(tx, { memberId, sessionId }, '$argon2id$three'))
    expect(await findSession(database.em(), 'b'.repeat(64), new Date())).not.toBeNull()
    expect(await findSession(database.em(), 'c'.repeat(64), new Date())).toBeNull()
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
