import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccount } from '../commands/accounts/create-account.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { parseMasterKeys } from '../security/sealing/sealing.ts'
import { cliHarness, type Cli } from '../test/fixtures/cli.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
let testDatabase: TestDatabase
let database: Database
let reelgate: Cli
let account: string
let other: string

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = await openDatabase({ url: testDatabase.url })
  reelgate = cliHarness({ DATABASE_URL: testDatabase.url, MASTER_KEY })
})

beforeEach(async () => {
  const make = () =>
    createAccount(database.em.fork(), parseMasterKeys(MASTER_KEY), {
      name: 'Anna',
      protection: 'clearkey',
    })
  await database.em.fork().execute('truncate payment, event cascade')
  account = String(await make())
  other = String(await make())
})

afterAll(async () => {
  await database.close(true)
  await testDatabase.drop()
})

/** Returns a complete command line with some of its values changed. */
function recordArgs(change: Record<string, string> = {}): string[] {
  const values = {
    account,
    amount: '4900',
    currency: 'usd',
    'plan-type': 'pro',
    'billing-cycle': 'monthly',
    ...change,
  }
  const options = Object.entries(values).flatMap(([name, value]) => [`--${name}`, value])
  return ['payments', 'record', ...options]
}

const announced = async () => {
  const sql = `select body from event where type = 'payment.paid' order by created_at`
  const rows = await database.em.fork().execute<{ body: string }[]>(sql)
  return rows.map(({ body }) => JSON.parse(body).data)
}

describe('payments record', () => {
  it('records a payment and announces it as payment.paid', async () => {
    const run = await reelgate(...recordArgs({ currency: 'EUR' }), '--json')
    const record = run.json<{ id: number }>()
    expect(record).toEqual({
      id: expect.any(Number),
      object: 'payment',
      account_id: Number(account),
      amount: 4900,
      currency: 'eur',
      plan_type: 'pro',
      billing_cycle: 'monthly',
      reference: expect.stringMatching(/^manual:[0-9a-f-]{36}$/),
      created_at: expect.any(String),
      was_recorded_before: false,
    })
    expect(await announced()).toEqual([
      {
        id: record.id,
        object: 'payment',
        amount: 4900,
        plan_type: 'pro',
        billing_cycle: 'monthly',
      },
    ])
  })

  it('records the same reference once and reports the repeat', async () => {
    const first = await reelgate(...recordArgs({ reference: 'invoice 7' }))
    expect(first.stdout).toMatch(/^Payment \d+ \(invoice 7\) is recorded\.$/)
    const second = await reelgate(...recordArgs({ reference: 'invoice 7' }))
    expect(second).toMatchObject({ status: 0, stderr: '' })
    expect(second.stdout).toContain('was recorded before; nothing changed')
    const third = await reelgate(...recordArgs({ reference: 'invoice 7' }), '--json')
    expect(third.json()).toMatchObject({ was_recorded_before: true })
    expect(await announced()).toHaveLength(1)
  })

  it('records two payments without a reference separately', async () => {
    await Promise.all([reelgate(...recordArgs()), reelgate(...recordArgs())])
    expect(await announced()).toHaveLength(2)
  })

  it.each([
    ['another amount', () => ({ amount: '100' })],
    ['another account', () => ({ account: other })],
    ['another cycle', () => ({ 'billing-cycle': 'yearly' })],
  ])('ends with 1 if the reference was recorded with %s', async (_name, change) => {
    await reelgate(...recordArgs({ reference: 'invoice 7' }))
    const run = await reelgate(...recordArgs({ reference: 'invoice 7', ...change() }))
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toMatch(/^reelgate: invoice 7 is payment \d+ already[^\n]*$/)
    expect(await announced()).toHaveLength(1)
  })

  it('ends with 1 for an unknown account', async () => {
    const run = await reelgate(...recordArgs({ account: '999999' }))
    expect(run).toMatchObject({ status: 1, stderr: 'reelgate: There is no account 999999.' })
  })

  it.each([
    ['no amount', { amount: '' }],
    ['an amount of 0', { amount: '0' }],
    ['a negative amount', { amount: '-4900' }],
    ['a broken amount', { amount: '49.00' }],
    ['an amount beyond safe integers', { amount: '9007199254740992' }],
    ['an amount in another notation', { amount: '4e3' }],
    ['an unknown currency', { currency: 'dollars' }],
    ['a plan type of two lines', { 'plan-type': 'pro\nfree' }],
    ['an unknown cycle', { 'billing-cycle': 'weekly' }],
    ['an empty reference', { reference: ' ' }],
  ])('ends with 2 for %s', async (_name, change) => {
    expect(await reelgate(...recordArgs(change))).toMatchObject({ status: 2, stdout: '' })
    expect(await announced()).toEqual([])
  })
})

describe('payments list', () => {
  it('lists the payments of all accounts or of one, newest first', async () => {
    await reelgate(...recordArgs({ reference: 'a' }))
    await reelgate(...recordArgs({ reference: 'b', account: other }))
    const list = async (...args: string[]) => {
      const run = await reelgate('payments', 'list', '--json', ...args)
      return run.json<{ reference: string }[]>().map(({ reference }) => reference)
    }
    expect(await list()).toEqual(['b', 'a'])
    expect(await list('--account', account)).toEqual(['a'])
    expect(await list('--limit', '1')).toEqual(['b'])
    const text = (await reelgate('payments', 'list', '--account', account)).stdout
    expect(text).toMatch(/^ID +ACCOUNT +AMOUNT +PLAN TYPE/)
    expect(text).toMatch(/4900 usd +pro +monthly +20\S+ \S+ UTC +a$/m)
  })

  it('reports that there are no payments', async () => {
    expect((await reelgate('payments', 'list')).stdout).toBe('No payments.')
  })
})
