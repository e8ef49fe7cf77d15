import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findMember } from '../../db/members/members.ts'
import { countPasskeys } from '../../db/members/passkeys.ts'
import { findSession, insertSession } from '../../db/members/write-dashboard-sessions.ts'
import { insertPasskey } from '../../db/members/write-passkeys.ts'
import type { Actor } from '../../domain/accounts/audit.ts'
import { insertSealedAccountFixture } from '../../test/fixtures/account.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../../test/fixtures/database.ts'
import { waitForLock } from '../../test/fixtures/locks.ts'
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
  await insertSession(database.em(), session)
  const publicKey = new Uint8Array(8)
  const passkey = { id: passkeyId, memberId, publicKey, counter: 0, transports: [], name: 'Laptop' }
  await insertPasskey(database.em(), passkey)
  return { accountId, email, memberId, tokenHash, passkeyId }
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
