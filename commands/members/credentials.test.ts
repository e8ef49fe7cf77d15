import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdSession } from '../../db/accounts/callers.ts'
import { findMember } from '../../db/members/members.ts'
import { countPasskeys } from '../../db/members/passkeys.ts'
import { findSession, insertSession } from '../../db/members/write-dashboard-sessions.ts'
import { putMembership } from '../../db/members/write-members.ts'
import { insertPasskey } from '../../db/members/write-passkeys.ts'
import type { Actor } from '../../domain/accounts/audit.ts'
import { insertSealedAccountFixture } from '../../test/fixtures/account.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../../test/fixtures/database.ts'
import { waitForLock } from '../../test/fixtures/locks.ts'
import { changePassword } from './credentials.ts'
import { acceptInvitation, createInvitation } from './invitations.ts'
import { setOperatorById } from './operators.ts'
import { signInWithPasskey } from './sessions.ts'

let database: DatabaseFixture

beforeAll(async () => {
  database = await openDatabaseFixture()
})

afterAll(() => database?.close())

const operator: Actor = { kind: 'operator', id: null, name: 'root' }

interface Link {
  accountId: number
  email?: string | null
  grantsOperator?: boolean
}

async function accept(
  { accountId, email: invited = null, grantsOperator = false }: Link,
  email: string,
  person: { passwordHash: string; replacesMember?: boolean },
): Promise<number> {
  const facts = { accountId, email: invited, grantsOperator, role: 'owner', by: operator } as const
  const { token } = await createInvitation(database.em(), facts)
  const { memberId } = await database
    .em()
    .transactional((tx) => acceptInvitation(tx, token, { email, name: 'Anna', ...person }))
  return memberId
}

/** The owner of a new account, with a session and a passkey. */
async function insertOwner() {
  const accountId = await insertSealedAccountFixture(database.db)
  const email = `${crypto.randomUUID()}@site.example`
  const memberId = await accept({ accountId }, email, { passwordHash: 'old' })
  const [tokenHash, passkeyId] = [crypto.randomUUID(), crypto.randomUUID()]
  const session = { memberId, tokenHash, ip: '127.0.0.1', agent: 'test', elevatedUntil: new Date() }
  const sessionId = await insertSession(database.em(), session)
  const publicKey = new Uint8Array(8)
  const passkey = { id: passkeyId, memberId, publicKey, counter: 0, transports: [], name: 'Laptop' }
  await insertPasskey(database.em(), passkey)
  return { accountId, email, memberId, sessionId, tokenHash, passkeyId }
}

type Owner = Awaited<ReturnType<typeof insertOwner>>

const stateOf = async ({ memberId, tokenHash }: Owner) => ({
  password: (await findMember(database.em(), memberId))?.passwordHash,
  isSignedIn: (await findSession(database.em(), tokenHash, new Date())) !== null,
  passkeys: await countPasskeys(database.em(), memberId),
})

const REPLACED = { password: 'new', isSignedIn: false, passkeys: 0 }
const AGREED = { passwordHash: 'new', replacesMember: true }

describe('a link of the operator for a member who exists', () => {
  it.each([
    ['that names the member', async ({ accountId, email }: Owner) => ({ accountId, email })],
    [
      'of another account, that names the member',
      async ({ email }: Owner) => ({
        accountId: await insertSealedAccountFixture(database.db),
        email,
      }),
    ],
    ['that names no address', async ({ accountId }: Owner) => ({ accountId })],
    [
      'that makes operators',
      async ({ accountId, memberId }: Owner) => {
        await setOperatorById(database.em(), memberId, { isOperator: true, by: operator })
        return { accountId, grantsOperator: true }
      },
    ],
  ])('%s ends all ways to sign in, and the log names them', async (_which, linkFor) => {
    const owner = await insertOwner()
    const link = await linkFor(owner)
    await accept(link, owner.email, AGREED)
    expect(await stateOf(owner)).toEqual(REPLACED)
    const entries = await database.execute(
      `select account_id, before, after from audit_entry
       where action = 'member.replace_credentials' and subject = ?`,
      [String(owner.memberId)],
    )
    const before = { passkeys: [{ id: owner.passkeyId, name: 'Laptop' }], sessions: 1 }
    const accounts = [...new Set([owner.accountId, link.accountId])]
    expect(entries).toEqual(
      expect.arrayContaining(accounts.map((account_id) => ({ account_id, before, after: null }))),
    )
  })

  it('changes nothing before the person agrees to that', async () => {
    const owner = await insertOwner()
    await expect(accept(owner, owner.email, { passwordHash: 'new' })).rejects.toMatchObject({
      code: 'member_exists',
    })
    expect(await stateOf(owner)).toEqual({ password: 'old', isSignedIn: true, passkeys: 1 })
  })

  it('leaves no session of a sign-in with a passkey that is under way', async () => {
    const owner = await insertOwner()
    const used = { id: owner.passkeyId, memberId: owner.memberId, counter: 1 }
    const browser = { ip: '127.0.0.1', agent: 'test', session: null }
    let replaced = Promise.resolve(0)
    await database.em().transactional(async (tx) => {
      await signInWithPasskey(tx, used, browser)
      replaced = accept(owner, owner.email, AGREED)
      await waitForLock(database)
    })
    await replaced
    expect(await stateOf(owner)).toEqual(REPLACED)
    const rows = await database.execute('select 1 from dashboard_session where member_id = ?', [
      owner.memberId,
    ])
    expect(rows).toEqual([])
  })
})

const memberOf = ({ memberId, email }: Owner): Actor => ({
  kind: 'member',
  id: memberId,
  name: email,
})

/** A new password that the member sets in a session of their own. */
async function setPassword({ memberId, email }: Owner): Promise<void> {
  const facts = { tokenHash: crypto.randomUUID(), elevatedUntil: new Date(), passkeyId: null }
  const started = { ...facts, memberId, ip: '127.0.0.1', agent: 'own' }
  const session = { ...facts, id: await insertSession(database.em(), started) }
  const change = { session, removesPasskeys: true }
  await database
    .em()
    .transactional((tx) => changePassword(tx, { id: memberId, email }, 'new', change))
}

const CHANGES: [string, (owner: Owner) => Promise<unknown>][] = [
  ['a link of the operator', (owner) => accept(owner, owner.email, AGREED)],
  ['a new password', setPassword],
]

describe('an invitation that another person made with the session of a member', () => {
  const openedByThief = (token: string) =>
    database.em().transactional((tx) =>
      acceptInvitation(tx, token, {
        email: `${crypto.randomUUID()}@thief.example`,
        name: 'Eve',
        passwordHash: 'thief',
      }),
    )

  it.each(CHANGES)('is no way back after %s, in any account', async (_which, change) => {
    const owner = await insertOwner()
    const otherAccountId = await insertSealedAccountFixture(database.db)
    const { accountId, memberId } = owner
    await putMembership(database.em(), { accountId: otherAccountId, memberId, role: 'owner' })
    const invite = async (into: number, by: Actor) => {
      const facts = { accountId: into, role: 'owner', email: null, by } as const
      return (await createInvitation(database.em(), facts)).token
    }
    const accounts = [accountId, otherAccountId]
    const tokens: string[] = []
    for (const into of accounts) tokens.push(await invite(into, memberOf(owner)))
    const colleague: Actor = { kind: 'member', id: 1, name: 'colleague@site.example' }
    const others = [await invite(accountId, colleague), await invite(accountId, operator)]
    await change(owner)
    for (const token of tokens)
      await expect(openedByThief(token)).rejects.toMatchObject({ code: 'invitation_not_found' })
    for (const token of others) await expect(openedByThief(token)).resolves.toBeDefined()
    const entries = await database.execute(
      `select account_id, before from audit_entry
       where action = 'invitation.withdraw' and actor_id = ? order by account_id`,
      [memberId],
    )
    const before = { role: 'owner', email: null }
    expect(entries).toEqual(accounts.map((account_id) => ({ account_id, before })))
  })

  it.each(CHANGES)('is none either if it is made during %s', async (_which, change) => {
    const owner = await insertOwner()
    const { accountId, email } = owner
    let changed: Promise<unknown> = Promise.resolve()
    let link = ''
    await database.em().transactional(async (tx) => {
      await holdSession(tx, owner, { now: new Date(), isForOperators: false })
      changed = change(owner)
      await waitForLock(database)
      const facts = { accountId, role: 'owner', email: null, by: memberOf(owner) } as const
      link = (await createInvitation(tx, facts)).token
    })
    await changed
    await expect(openedByThief(link)).rejects.toMatchObject({ code: 'invitation_not_found' })
    expect(
      await database.execute('select 1 from invitation where invited_by = ?', [email]),
    ).toEqual([])
  })
})
