import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertSealedAccountFixture } from '../test/fixtures/account.ts'
import { cliHarness, type Cli } from '../test/fixtures/cli.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../test/fixtures/database.ts'

let database: DatabaseFixture
let reelgate: Cli
let account: string
let other: string

beforeAll(async () => {
  database = await openDatabaseFixture()
  const MASTER_KEY = randomBytes(32).toString('hex')
  reelgate = cliHarness({ DATABASE_URL: database.databaseUrl, MASTER_KEY })
  account = String(await insertSealedAccountFixture(database.db))
  other = String(await insertSealedAccountFixture(database.db))
  for (const [name, viewer] of [
    ['tv-1', 'ann'],
    ['phone-1', 'ben'],
  ])
    await database.execute(
      `insert into drm_device (account_id, device_id, system, viewer_id) values (?, ?, 'widevine', ?)`,
      [Number(account), name, viewer],
    )
})
afterAll(() => database?.close())

const devices = (...args: string[]) => reelgate('devices', ...args)
const listed = async (...args: string[]) =>
  (await devices('list', '--json', ...args)).json<
    { device_id: string; revoked_at: string | null }[]
  >()

describe('devices', () => {
  it('are listed by account and by the viewer who used them last', async () => {
    expect((await listed('--account', account)).map((one) => one.device_id).toSorted()).toEqual([
      'phone-1',
      'tv-1',
    ])
    expect(await listed('--viewer', 'ann')).toMatchObject([
      { object: 'device', account_id: Number(account), device_id: 'tv-1', system: 'widevine' },
    ])
    expect((await devices('list', '--account', other)).stdout).toContain('No known devices.')
    expect((await devices('list')).stdout).toMatch(/ACCOUNT +DEVICE +SYSTEM +VIEWER[^]*tv-1/)
  })

  it('are revoked for one account, also repeatedly and before they were seen', async () => {
    const revoke = (id: string) => devices('revoke', id, '--account', account, '--json')
    const first = await revoke('tv-1')
    expect(first.json()).toMatchObject({
      device_id: 'tv-1',
      viewer_id: 'ann',
      revoked_at: expect.stringMatching(/\+00:00$/),
    })
    expect((await revoke('tv-1')).json()).toEqual(first.json())
    expect((await revoke('unseen')).json()).toMatchObject({ system: null, viewer_id: null })
    expect(await listed('--account', other)).toEqual([])
  })

  it('are restored, once', async () => {
    const restore = () => devices('restore', 'tv-1', '--account', account, '--json')
    expect((await restore()).json()).toMatchObject({ object: 'device', device_id: 'tv-1' })
    expect(await restore()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('revoked_device_not_found'),
    })
    expect(await listed('--viewer', 'ann')).toMatchObject([{ revoked_at: null }])
  })

  it('have a printable id, and an account that exists', async () => {
    expect((await devices('revoke', 'a b', '--account', account)).status).toBe(2)
    expect((await devices('revoke', 'tv-1', '--account', '999999')).status).toBe(1)
  })
})
