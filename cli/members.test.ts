import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acceptInvitation } from '../commands/members/invitations.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { insertSealedAccountFixture } from '../test/fixtures/account.ts'
import { cliHarness, type Cli } from '../test/fixtures/cli.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'

const DASHBOARD = 'https://dashboard.example'

let testDatabase: TestDatabase
let database: Database
let reelgate: Cli

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = await openDatabase({ url: testDatabase.url })
  reelgate = cliHarness({
    DATABASE_URL: testDatabase.url,
    MASTER_KEY: randomBytes(32).toString('hex'),
    DASHBOARD_BASE_URL: DASHBOARD,
  })
})

afterAll(async () => {
  await database.close(true)
  await testDatabase.drop()
})

const newAccount = () => insertSealedAccountFixture(database)

interface Invited {
  id: number
  link: string
  role: string
  email: string | null
}

const invite = async (account: number, ...options: string[]): Promise<Invited> => {
  const run = await reelgate(
    'members',
    'invite',
    '--account',
    String(account),
    '--json',
    ...options,
  )
  expect(run).toMatchObject({ status: 0, stderr: '' })
  return run.json<Invited>()
}

/** Uses the link of an invitation; resolves to the id of the member. */
async function accept(link: string, email: string): Promise<number> {
  const token = link.split('#')[1] ?? ''
  const person = { email, name: 'Anna', passwordHash: '$argon2id$test' }
  const { memberId } = await database.em
    .fork()
    .transactional((tx) => acceptInvitation(tx, token, person))
  return memberId
}

const auditOf = (accountId: number) =>
  database.em.fork().execute<Record<string, unknown>[]>(
    `select action, subject, before, after, actor_kind as "actorKind", actor_name as "actorName"
     from audit_entry where account_id = ? order by id`,
    [accountId],
  )

describe('members invite', () => {
  it('prints a link that makes its reader an owner', async () => {
    const account = await newAccount()
    const invited = await invite(account, '--owner')
    expect(invited).toMatchObject({ object: 'invitation', role: 'owner', email: null })
    expect(invited.link).toMatch(/^https:\/\/dashboard\.example\/welcome#[\w-]{43}$/)
    const id = await accept(invited.link, 'anna@site.example')
    const list = await reelgate('members', 'list', '--account', String(account), '--json')
    expect(list.json()).toMatchObject([{ id, email: 'anna@site.example', role: 'owner' }])
  })

  it('invites one address to a role, and a reader by default', async () => {
    const account = await newAccount()
    const options = ['--role', 'editor', '--email', 'Ben@Site.example']
    expect(await invite(account, ...options)).toMatchObject({
      role: 'editor',
      email: 'ben@site.example',
    })
    expect(await invite(account)).toMatchObject({ role: 'reader', email: null })
  })

  it('prints the link alone on its line as text, and stores only its hash', async () => {
    const account = await newAccount()
    const run = await reelgate('members', 'invite', '--account', String(account), '--owner')
    expect(run.stdout).toMatch(
      /^https:\S+\n\nIt works once, until .* UTC, and is not shown again\.$/,
    )
    const token = run.stdout.split('\n')[0]?.split('#')[1] ?? ''
    const rows = await database.em.fork().execute('select * from invitation, audit_entry')
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('is in the audit log under the name of the user', async () => {
    const account = await newAccount()
    const { id } = await invite(account, '--owner')
    expect(await auditOf(account)).toEqual([
      {
        action: 'invitation.create',
        subject: String(id),
        before: null,
        after: { role: 'owner', email: null },
        actorKind: 'operator',
        actorName: userInfo().username,
      },
    ])
  })

  it('makes its reader an operator with --operator, and says so in the audit log', async () => {
    const account = await newAccount()
    const invited = await invite(account, '--operator', '--role', 'editor')
    expect(invited).toMatchObject({ role: 'editor', grants_operator: true })
    expect(await invite(account, '--owner')).toMatchObject({ grants_operator: false })
    const id = await accept(invited.link, 'olga@site.example')
    const operators = await reelgate('members', 'operators', '--json')
    const expected = { id, object: 'operator', email: 'olga@site.example', name: 'Anna' }
    expect(operators.json()).toContainEqual({ ...expected, account_ids: [account] })
    expect(await auditOf(account)).toMatchObject([
      { action: 'invitation.create', after: { role: 'editor', grants_operator: true } },
      { action: 'invitation.create', after: { role: 'owner', email: null } },
      { action: 'member.grant_operator', subject: String(id) },
    ])
  })

  it.each([
    ['a role that does not exist', ['--role', 'admin']],
    ['two roles', ['--role', 'editor', '--owner']],
    ['an address that is none', ['--email', 'anna']],
  ])('ends with 2 for %s', async (_what, options) => {
    const run = await reelgate('members', 'invite', '--account', '1', ...options)
    expect(run).toMatchObject({ status: 2, stdout: '' })
  })

  it('ends with 1 for an unknown account', async () => {
    const run = await reelgate('members', 'invite', '--account', '999999', '--owner')
    expect(run).toMatchObject({ status: 1, stderr: 'reelgate: There is no account 999999.' })
  })
})

describe('members grant-operator and revoke-operator', () => {
  it('change a member, once, and are in the audit log under the name of the user', async () => {
    const account = await newAccount()
    const id = await accept((await invite(account, '--owner')).link, 'gil@site.example')
    const change = (verb: string) => reelgate('members', verb, String(id), '--json')
    const record = { id, object: 'member', email: 'gil@site.example' }
    for (const [verb, isOperator] of [
      ['grant-operator', true],
      ['revoke-operator', false],
    ] as const)
      for (const _again of [1, 2])
        expect((await change(verb)).json()).toEqual({ ...record, is_operator: isOperator })
    const by = { actorKind: 'operator', actorName: userInfo().username }
    expect((await auditOf(account)).slice(1)).toMatchObject([
      { action: 'member.grant_operator', subject: String(id), ...by },
      { action: 'member.revoke_operator', subject: String(id), ...by },
    ])
  })

  it('print what they did, and operators its list', async () => {
    const account = await newAccount()
    const id = await accept((await invite(account)).link, 'hal@site.example')
    const granted = await reelgate('members', 'grant-operator', String(id))
    expect(granted.stdout).toBe(`Member ${id} (hal@site.example) is an operator.`)
    const { stdout } = await reelgate('members', 'operators')
    expect(stdout).toMatch(new RegExp(`${id} +hal@site\\.example +Anna +${account}`))
    const removed = await reelgate('members', 'remove', String(id), '--account', String(account))
    expect(removed.stdout).toContain(`reelgate members revoke-operator ${id}`)
    const revoked = await reelgate('members', 'revoke-operator', String(id))
    expect(revoked.stdout).toBe(`Member ${id} (hal@site.example) is not an operator.`)
  })

  it('end with 1 for a member who does not exist', async () => {
    const run = await reelgate('members', 'grant-operator', '999999')
    expect(run).toMatchObject({ status: 1, stderr: 'reelgate: There is no such member.' })
  })
})

describe('members list', () => {
  it('prints a table, or that there are none', async () => {
    const account = await newAccount()
    const list = ['members', 'list', '--account', String(account)]
    expect((await reelgate(...list)).stdout).toBe('The account has no members.')
    await accept((await invite(account, '--owner')).link, 'cara@site.example')
    expect((await reelgate(...list)).stdout).toMatch(/E-MAIL[^]*cara@site\.example +Anna +owner +-/)
  })
})

describe('members remove', () => {
  it('takes a member out of the account, and is in the audit log', async () => {
    const account = await newAccount()
    await accept((await invite(account, '--owner')).link, 'dora@site.example')
    const id = await accept((await invite(account)).link, 'eva@site.example')
    const remove = ['members', 'remove', String(id), '--account', String(account), '--json']
    expect((await reelgate(...remove)).json()).toEqual({ id, object: 'member', deleted: true })
    expect((await auditOf(account)).at(-1)).toMatchObject({
      action: 'member.remove',
      subject: String(id),
      before: { email: 'eva@site.example', role: 'reader' },
      after: null,
      actorKind: 'operator',
    })
    const again = await reelgate(...remove)
    expect(again.status).toBe(1)
    expect(JSON.parse(again.stderr)).toMatchObject({ error: { code: 'member_not_found' } })
  })

  it('keeps the last owner', async () => {
    const account = await newAccount()
    const id = await accept((await invite(account, '--owner')).link, 'fay@site.example')
    const run = await reelgate('members', 'remove', String(id), '--account', String(account))
    expect(run).toMatchObject({ status: 1, stderr: expect.stringContaining('last owner') })
  })
})
