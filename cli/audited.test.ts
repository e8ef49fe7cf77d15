import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../commands/accounts/create-account.ts'
import { revokeViewer } from '../commands/viewers/revoke-viewer.ts'
import type { EntityManager } from '../db/database.ts'
import { RevokedViewer } from '../db/entities/account.ts'
import { parseMasterKeys } from '../security/sealing/sealing.ts'
import { auditRows } from '../test/fixtures/audit-log.ts'
import { cliHarness, type Cli } from '../test/fixtures/cli.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../test/fixtures/database.ts'
import { audited } from './audited.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
let database: DatabaseFixture
let reelgate: Cli
let accountId: number

beforeAll(async () => {
  database = await openDatabaseFixture()
  reelgate = cliHarness({ DATABASE_URL: database.databaseUrl, MASTER_KEY })
  const facts = { name: 'Anna', protection: 'clearkey' } as const
  accountId = await createAccount(database.em(), parseMasterKeys(MASTER_KEY), facts)
})

afterAll(() => database?.close())

const rows = () => auditRows(database, accountId)

/** Runs a verb for the account; resolves to its output and the entries that it wrote. */
async function run(...args: string[]) {
  const { length } = await rows()
  const { status, stdout } = await reelgate(...args, '--account', String(accountId), '--json')
  return { status, stdout, written: (await rows()).slice(length) }
}

describe('a change of the command line', () => {
  it('is in the audit log with what was changed, by the user of the system', async () => {
    const { written } = await run('settings', 'set', 'theme=light', 'watermark.enabled=true')
    expect(written).toMatchObject([
      {
        action: 'settings.update',
        before: { theme: 'dark', watermark: { enabled: false } },
        after: { theme: 'light', watermark: { enabled: true } },
        actorKind: 'operator',
        actorId: null,
        actorName: userInfo().username,
      },
    ])
    expect(Object.keys(written[0]?.after ?? {})).toEqual(['theme', 'watermark'])
  })

  it('that changes nothing writes no entry', async () => {
    await run('settings', 'set', 'theme=light')
    const again = await run('settings', 'set', 'theme=light')
    expect(again).toMatchObject({ status: 0, written: [] })
    expect(await run('viewers', 'restore', 'nobody')).toMatchObject({ status: 1, written: [] })
  })

  it.each([
    [['plan', 'set', '--storage-bytes', '1000'], 'plan.update', { storage_limit_bytes: 1000 }],
    [['plan', 'set', '--licence-seconds', '600'], 'plan.update', { licence_seconds: 600 }],
    [['devices', 'revoke', 'device-1'], 'device.revoke', null],
    [['devices', 'restore', 'device-1'], 'device.restore', null],
    [['viewers', 'revoke', 'ann'], 'viewer.revoke', null],
    [['viewers', 'restore', 'ann'], 'viewer.restore', null],
    [['viewers', 'export', 'ann'], 'viewer.export', null],
    [['viewers', 'erase', 'ann'], 'viewer.erase', null],
    [['signing-secret', 'show'], 'signing_secret.reveal', { version: 1 }],
    [['signing-secret', 'rotate'], 'signing_secret.rotate', { version: 2 }],
    [['keys', 'create', '--scopes', 'videos:read', '--name', 'Ben'], 'api_key.create', null],
  ])('%j writes %s', async (args, action, after) => {
    const { status, stdout, written } = await run(...args)
    expect(status).toBe(0)
    expect(written).toMatchObject([{ action, actorKind: 'operator' }])
    if (after) expect(written[0]?.after).toEqual(after)
    const { key = 'none', signing_secret: secret = 'none' } = JSON.parse(stdout) as {
      key?: string
      signing_secret?: string
    }
    expect(JSON.stringify(written)).not.toContain(key === 'none' ? secret : key)
  })

  it('names a new account and a revoked key', async () => {
    const make = await reelgate(
      'accounts',
      'create',
      '--name',
      'Ben',
      '--plan',
      'clearkey',
      '--json',
    )
    const { id } = make.json<{ id: number }>()
    expect(await auditRows(database, id)).toMatchObject([
      { action: 'account.create', subject: String(id), after: { name: 'Ben' } },
    ])
    const key = (await run('keys', 'create', '--scopes', 'videos:read')).stdout
    const keyId = String((JSON.parse(key) as { id: number }).id)
    await reelgate('keys', 'revoke', keyId)
    expect((await rows()).at(-1)).toMatchObject({
      action: 'api_key.revoke',
      subject: keyId,
      before: { scopes: ['videos:read'] },
      after: null,
    })
  })

  it('records a payment once', async () => {
    const pay = [
      'payments',
      'record',
      '--amount',
      '4900',
      '--currency',
      'usd',
      '--plan-type',
      'pro',
    ]
    const payment = [...pay, '--billing-cycle', 'monthly', '--reference', 'invoice-1']
    const { written } = await run(...payment)
    expect(written).toMatchObject([{ action: 'payment.record', after: { amount: 4900 } }])
    expect((await run(...payment)).written).toEqual([])
  })
})

describe('a change whose entry cannot be written', () => {
  it('is rolled back', async () => {
    const change = { accountId: 999_999, action: 'viewer.revoke', subject: 'eve', fields: [] }
    const work = (tx: EntityManager) => revokeViewer(tx, accountId, 'eve')
    await expect(audited(database.em(), work, () => change)).rejects.toThrow()
    expect(await database.em().count(RevokedViewer, { viewerId: 'eve' })).toBe(0)
  })
})
