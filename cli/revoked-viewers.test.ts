import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliHarness, type Cli } from '../test/fixtures/cli.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'

let testDatabase: TestDatabase
let reelgate: Cli
let account: string
let other: string

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  const MASTER_KEY = randomBytes(32).toString('hex')
  reelgate = cliHarness({ DATABASE_URL: testDatabase.url, MASTER_KEY })
  const create = async (name: string) =>
    (await reelgate('accounts', 'create', '--name', name, '--plan', 'clearkey', '--json')).json<{
      id: number
    }>()
  account = String((await create('One')).id)
  other = String((await create('Other')).id)
})

afterAll(() => testDatabase.drop())

const viewers = (...args: string[]) => reelgate('viewers', ...args)
const listed = async (...args: string[]) =>
  (await viewers('list', '--json', ...args)).json<{ viewer_id: string }[]>()

describe('viewers revoke', () => {
  it('revokes a viewer of one account, also repeatedly', async () => {
    const first = await viewers('revoke', 'ann', '--account', account, '--json')
    expect(first.status).toBe(0)
    expect(first.json()).toEqual({
      object: 'revoked_viewer',
      account_id: Number(account),
      viewer_id: 'ann',
      revoked_at: expect.stringMatching(/\+00:00$/),
    })
    const again = await viewers('revoke', 'ann', '--account', account, '--json')
    expect(again.json()).toEqual(first.json())
    expect(await listed('--account', account)).toEqual([first.json()])
    expect(await listed('--account', other)).toEqual([])
  })

  it('ends with 1 for an unknown account and with 2 for an invalid viewer id', async () => {
    const missing = await viewers('revoke', 'ann', '--account', '999999')
    expect(missing).toMatchObject({ status: 1, stderr: expect.stringContaining('no account') })
    const long = await viewers('revoke', 'x'.repeat(65), '--account', account)
    expect(long).toMatchObject({ status: 2, stderr: expect.stringContaining('64 bytes') })
    expect((await viewers('revoke', 'ann')).status).toBe(2)
  })
})

describe('viewers list', () => {
  it('prints a table, or that no viewer is revoked', async () => {
    await viewers('revoke', 'zoë', '--account', account)
    expect((await viewers('list')).stdout).toMatch(/ACCOUNT +VIEWER +REVOKED[^]*zoë/)
    expect((await viewers('list', '--account', other)).stdout).toContain('No revoked viewers.')
    expect(await listed('--limit', '1')).toHaveLength(1)
  })
})

describe('viewers restore', () => {
  it('lets a viewer play again, once', async () => {
    await viewers('revoke', 'eve', '--account', account)
    const restored = await viewers('restore', 'eve', '--account', account)
    expect(restored).toMatchObject({ status: 0, stdout: 'Viewer eve may play again.' })
    expect((await listed('--account', account)).map((one) => one.viewer_id)).not.toContain('eve')
    const again = await viewers('restore', 'eve', '--account', account)
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('eve') })
  })
})
