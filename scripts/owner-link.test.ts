import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acceptInvitation } from '../commands/members/invitations.ts'
import { findMember } from '../db/members/members.ts'
import { insertSealedAccountFixture } from '../test/fixtures/account.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../test/fixtures/database.ts'
import { ensureOwnerLink } from './owner-link.ts'

let database: DatabaseFixture
let dataDir: string
let accountId: number

beforeAll(async () => {
  database = await openDatabaseFixture()
})
afterAll(() => database?.close())
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'owner-link-'))
  accountId = await insertSealedAccountFixture(database.db)
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const ensure = (dashboardBase = 'http://localhost:8082') =>
  ensureOwnerLink({ dataDir, databaseUrl: database.databaseUrl, accountId, dashboardBase })

const tokenOf = (link: string | null): string => link?.split('#')[1] ?? ''
const file = () => join(dataDir, 'owner-link.txt')

describe('the link of the owner', () => {
  it('stays the same while it can be used, at the address of the dashboard', async () => {
    const link = await ensure()
    expect(link).toMatch(/^http:\/\/localhost:8082\/welcome#[\w-]{43}$/)
    expect(await ensure()).toBe(link)
    const moved = await ensure('https://dashboard.example')
    expect(moved).toBe(`https://dashboard.example/welcome#${tokenOf(link)}`)
    expect(readFileSync(file(), 'utf8')).toBe(`${moved}\n`)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  it('is replaced by one that makes an operator, after an upgrade', async () => {
    const link = await ensure()
    await database.execute('update invitation set grants_operator = false where account_id = ?', [
      accountId,
    ])
    expect(await ensure()).not.toBe(link)
  })

  it('is replaced when it has expired', async () => {
    const link = await ensure()
    await database.execute('update invitation set expires_at = now() where account_id = ?', [
      accountId,
    ])
    const next = await ensure()
    expect(next).toMatch(/#[\w-]{43}$/)
    expect(next).not.toBe(link)
  })

  it('makes an owner who is an operator, and is gone once the account has a member', async () => {
    const token = tokenOf(await ensure())
    const person = { email: 'anna@site.example', name: '', passwordHash: '$argon2id$test' }
    const { invitation, memberId } = await database
      .em()
      .transactional((tx) => acceptInvitation(tx, token, person))
    expect(invitation.role).toBe('owner')
    expect(await findMember(database.em(), memberId)).toMatchObject({ isOperator: true })
    expect(await ensure()).toBeNull()
    expect(existsSync(file())).toBe(false)
  })
})
