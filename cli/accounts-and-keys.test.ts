import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findApiKey } from '../db/accounts/api-keys.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { Account } from '../db/entities/account.ts'
import { SCOPES } from '../domain/accounts/scopes.ts'
import { hashApiKey } from '../security/api-key.ts'
import { parseMasterKeys, unseal } from '../security/sealing/sealing.ts'
import { signingSecretContext } from '../security/sealing/secret-contexts.ts'
import { cliHarness, type Cli } from '../test/fixtures/cli.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
const masterKeys = parseMasterKeys(MASTER_KEY)
let testDatabase: TestDatabase
let database: Database
let reelgate: Cli

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = await openDatabase({ url: testDatabase.url })
  reelgate = cliHarness({ DATABASE_URL: testDatabase.url, MASTER_KEY })
})

afterAll(async () => {
  await database.close(true)
  await testDatabase.drop()
})

const createAccount = async (...args: string[]): Promise<number> => {
  const create = ['accounts', 'create', '--name', 'Anna', '--plan', 'clearkey', '--json', ...args]
  return (await reelgate(...create)).json<{ id: number }>().id
}

describe('accounts create', () => {
  it('prints the account with its plan as JSON', async () => {
    const create = ['accounts', 'create', '--name', 'Video club', '--plan', 'multi-drm']
    const env = { DATABASE_URL: testDatabase.url, MASTER_KEY }
    const withProvider = cliHarness({
      ...env,
      DRM_KEY_MODEL: 'own',
      DRM_LICENCE_PROVIDER: 'axinom',
    })
    const run = await withProvider(...create, '--storage-bytes', '5000000000', '--json')
    expect(run.status).toBe(0)
    expect(run.json()).toEqual({
      id: expect.any(Number),
      object: 'account',
      name: 'Video club',
      plan: {
        object: 'plan',
        account_id: expect.any(Number),
        protection: 'multi-drm',
        is_active: true,
        is_enabled: true,
        storage_limit_bytes: 5_000_000_000,
        bandwidth_limit_bytes: null,
        encoding_limit_minutes: null,
        ends_at: null,
        hd_needs_hardware: false,
        uhd_needs_hardware: false,
        output_protection: 'none',
        licence_seconds: 86_400,
        renewal_seconds: null,
        updated_at: expect.stringMatching(/\+00:00$/),
      },
      created_at: expect.stringMatching(/\+00:00$/),
    })
  })

  it('refuses a Multi-DRM plan without a DRM provider', async () => {
    const run = await reelgate('accounts', 'create', '--name', 'Drm', '--plan', 'multi-drm')
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toContain('drm_provider_not_configured')
    expect((await reelgate('accounts', 'list')).stdout).not.toContain('Drm')
  })

  it('creates a signing secret of 64 hex characters, sealed with its context', async () => {
    const id = await createAccount()
    const account = await database.em.fork().findOneOrFail(Account, { id })
    expect(account.signingSecretVersion).toBe(1)
    const secret = unseal(masterKeys, account.sealedSigningSecret, signingSecretContext(id))
    expect(secret.toString()).toMatch(/^[0-9a-f]{64}$/)
    expect(account.sealedSigningSecret).not.toContain(secret.toString())
  })

  it('describes the new account as text', async () => {
    const run = await reelgate('accounts', 'create', '--name', 'Words', '--plan', 'clearkey')
    expect(run.stdout).toMatch(/^Account \d+ \(Words\) on a clearkey plan\.$/)
  })

  it('ends with 2 for an unknown plan and lists the known ones', async () => {
    const run = await reelgate('accounts', 'create', '--name', 'X', '--plan', 'widevine')
    expect(run.status).toBe(2)
    expect(run.stderr).toContain('clearkey, multi-drm')
  })

  it('ends with 2 without a name', async () => {
    const run = await reelgate('accounts', 'create', '--plan', 'clearkey')
    expect(run.status).toBe(2)
    expect(run.stderr).toContain('--name')
  })
})

describe('accounts list', () => {
  it('lists every account by id', async () => {
    const first = await createAccount()
    const second = await createAccount('--storage-bytes', '1024')
    const list = (await reelgate('accounts', 'list', '--json')).json<{ id: number }[]>()
    const ids = list.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(ids).toEqual(expect.arrayContaining([first, second]))
    const text = (await reelgate('accounts', 'list')).stdout
    expect(text.split('\n')[0]).toMatch(/^ID +NAME +PLAN +IN FORCE +STORAGE$/)
    expect(text).toContain('1.0 KiB')
  })
})

describe('keys create', () => {
  it('refuses the 101st key that is not revoked', async () => {
    const id = await createAccount()
    await database.em.fork().execute(
      `insert into api_key (account_id, name, hash, hint, scopes)
       select ?, 'old', md5(n::text || 'many'), 'rg', '{videos:read}' from generate_series(1, 100) n`,
      [id],
    )
    const run = await reelgate(
      'keys',
      'create',
      '--account',
      String(id),
      '--scopes',
      'all',
      '--json',
    )
    expect([run.status, run.stderr]).toEqual([
      1,
      expect.stringContaining('"code":"too_many_api_keys"'),
    ])
  })

  it('shows the key once and stores only its hash', async () => {
    const account = await createAccount()
    const create = ['keys', 'create', '--account', String(account), '--name', 'CI', '--json']
    const run = await reelgate(...create, '--scopes', 'videos:write,playback:sign')
    const record = run.json<{ key: string; hint: string; scopes: string[] }>()
    expect(record).toMatchObject({ object: 'api_key', account_id: account, name: 'CI' })
    expect(record.key).toMatch(/^rg_live_[\w-]{43}$/)
    const stored = await findApiKey(database.em.fork(), hashApiKey(record.key))
    expect(stored?.scopes).toEqual(['videos:write', 'playback:sign'])
    expect(JSON.stringify(stored)).not.toContain(record.key)
  })

  it('grants every scope for "all"', async () => {
    const account = await createAccount()
    const create = ['keys', 'create', '--account', String(account), '--scopes', 'all', '--json']
    expect((await reelgate(...create)).json<{ scopes: string[] }>().scopes).toEqual(SCOPES)
  })

  it('ends with 2 for an unknown scope and lists the known ones', async () => {
    const run = await reelgate('keys', 'create', '--account', '1', '--scopes', 'videos:write,root')
    expect(run.status).toBe(2)
    expect(run.stderr).toContain('Unknown: root')
    expect(run.stderr).toContain('playback:sign')
  })

  it('ends with 1 for an unknown account', async () => {
    const run = await reelgate('keys', 'create', '--account', '999999', '--scopes', 'all')
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toBe('reelgate: There is no account 999999.')
  })
})

describe('keys list and keys revoke', () => {
  it('lists hints, never keys', async () => {
    const account = String(await createAccount())
    const create = ['keys', 'create', '--account', account, '--scopes', 'all', '--json']
    const { key } = (await reelgate(...create)).json<{ key: string }>()
    const list = await reelgate('keys', 'list', '--account', account, '--json')
    expect(list.stdout).not.toContain(key)
    expect(list.json()).toEqual([expect.objectContaining({ hint: key.slice(0, 12) })])
    expect((await reelgate('keys', 'list')).stdout).toContain(`${key.slice(0, 12)}…`)
  })

  it('revokes a key, also repeatedly', async () => {
    const account = String(await createAccount())
    const create = ['keys', 'create', '--account', account, '--scopes', 'all', '--json']
    const { key, id } = (await reelgate(...create)).json<{ key: string; id: number }>()
    const first = await reelgate('keys', 'revoke', String(id), '--json')
    expect(await findApiKey(database.em.fork(), hashApiKey(key))).toBeNull()
    const second = await reelgate('keys', 'revoke', String(id), '--json')
    expect(second.json()).toEqual(first.json())
    expect((await reelgate('keys', 'list')).stdout).toContain('revoked 2')
  })

  it('ends with 1 for an unknown key', async () => {
    const run = await reelgate('keys', 'revoke', '424242')
    expect(run.status).toBe(1)
    expect(run.stderr).toContain('There is no API key 424242.')
  })
})
