import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccount } from '../commands/accounts/create-account.ts'
import { editSettings } from '../commands/settings/edit-settings.ts'
import { findActivePlan } from '../db/accounts/accounts.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { DEFAULT_PLAYER_SETTINGS, type PlayerSettings } from '../domain/settings/player-settings.ts'
import { parseMasterKeys } from '../security/sealing/sealing.ts'
import {
  readViewerToken,
  signViewerToken,
  verifyViewerToken,
} from '../security/tokens/viewer-token.ts'
import { cliHarness, type Cli } from '../test/fixtures/cli.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'
import { applyAssignments } from './setting-assignments.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
let testDatabase: TestDatabase
let database: Database
let reelgate: Cli
let withProvider: Cli
let account: string

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = await openDatabase({ url: testDatabase.url })
  const env = { DATABASE_URL: testDatabase.url, MASTER_KEY }
  reelgate = cliHarness(env)
  withProvider = cliHarness({
    ...env,
    DRM_SPEKE_URL: 'https://keys.example/speke',
    DRM_LICENCE_PROVIDER: 'axinom',
  })
})

beforeEach(async () => {
  const options = { name: 'Anna', protection: 'clearkey' } as const
  const keys = parseMasterKeys(MASTER_KEY)
  account = String(await createAccount(database.em.fork(), keys, options))
})

afterAll(async () => {
  await database.close(true)
  await testDatabase.drop()
})

describe('settings get and set', () => {
  it('start with the defaults', async () => {
    const run = await reelgate('settings', 'get', '--account', account, '--json')
    expect(run.json()).toEqual({ object: 'player_settings', ...DEFAULT_PLAYER_SETTINGS })
  })

  it('set several paths together and keep the others', async () => {
    const set = ['settings', 'set', '--account', account, '--json']
    const values = ['watermark.required=true', 'allowed_domains=["a.example"]', 'theme=light']
    const expected = {
      object: 'player_settings',
      ...DEFAULT_PLAYER_SETTINGS,
      theme: 'light',
      allowed_domains: ['a.example'],
      watermark: { ...DEFAULT_PLAYER_SETTINGS.watermark, required: true },
    }
    expect((await reelgate(...set, ...values)).json()).toEqual(expected)
    const get = await reelgate('settings', 'get', '--account', account)
    expect(get.json()).toEqual(expected)
  })

  it('change nothing if one of several values is invalid', async () => {
    const set = ['settings', 'set', '--account', account]
    const run = await reelgate(...set, 'theme=light', 'watermark.opacity=9')
    expect(run.status).toBe(2)
    expect(run.stderr).toContain('watermark.opacity')
    expect(run.stderr).toContain('allowed: 0.05 to 1')
    const get = await reelgate('settings', 'get', '--account', account, '--json')
    expect(get.json<PlayerSettings>().theme).toBe('dark')
  })

  it('list the allowed settings for an unknown path', async () => {
    const run = await reelgate('settings', 'set', '--account', account, 'watermark.size_px=3')
    expect(run.status).toBe(2)
    expect(run.stderr).toContain('There is no setting "watermark.size_px"')
    expect(run.stderr).toContain('watermark.required = true | false')
  })

  it('end with 1 for an unknown account', async () => {
    const run = await reelgate('settings', 'set', '--account', '999999', 'theme=dark')
    expect(run.status).toBe(1)
  })

  it('keep all of several concurrent edits', async () => {
    const edit = (path: string) =>
      editSettings(database.em.fork(), Number(account), (settings) =>
        applyAssignments(settings, [{ path, value: true }]),
      )
    await Promise.all([edit('keep_original'), edit('direct_play'), edit('watermark.enabled')])
    const get = await reelgate('settings', 'get', '--account', account, '--json')
    expect(get.json()).toMatchObject({
      keep_original: true,
      direct_play: true,
      watermark: { enabled: true },
    })
  })
})

describe('signing-secret', () => {
  const tokenOf = (secret: string) =>
    signViewerToken({ viewerId: 'u-1', expiresAtSeconds: 2_000_000_000 }, secret)

  it('shows the secret that signs viewer tokens', async () => {
    const run = await reelgate('signing-secret', 'show', '--account', account, '--json')
    expect(run.json()).toEqual({
      account_id: Number(account),
      signing_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      version: 1,
    })
    const text = await reelgate('signing-secret', 'show', '--account', account)
    expect(text.stdout).toBe(run.json<{ signing_secret: string }>().signing_secret)
  })

  it('changes with a rotation, after which old tokens no longer verify', async () => {
    type Secret = { signing_secret: string; version: number }
    const show = ['signing-secret', 'show', '--account', account, '--json']
    const before = (await reelgate(...show)).json<Secret>()
    const rotate = ['signing-secret', 'rotate', '--account', account, '--json']
    const rotated = (await reelgate(...rotate)).json<Secret>()
    expect(rotated.version).toBe(2)
    expect((await reelgate(...show)).json()).toEqual(rotated)
    const token = readViewerToken(tokenOf(before.signing_secret))
    expect(verifyViewerToken(token, before.signing_secret, 0).ok).toBe(true)
    expect(verifyViewerToken(token, rotated.signing_secret, 0).ok).toBe(false)
  })

  it('reports a wrong master key without any secret', async () => {
    const other = cliHarness({
      DATABASE_URL: testDatabase.url,
      MASTER_KEY: randomBytes(32).toString('hex'),
    })
    const run = await other('signing-secret', 'show', '--account', account)
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toMatch(/^reelgate: The master key of version 1 is not the one that sealed/)
  })

  it('ends with 1 for an unknown account', async () => {
    expect((await reelgate('signing-secret', 'rotate', '--account', '999999')).status).toBe(1)
  })
})

describe('plan show and plan set', () => {
  it('show the plan and the storage left', async () => {
    const run = await reelgate('plan', 'show', '--account', account, '--json')
    expect(run.json()).toEqual({
      object: 'plan',
      account_id: Number(account),
      protection: 'clearkey',
      is_active: true,
      is_enabled: true,
      storage_limit_bytes: null,
      bandwidth_limit_bytes: null,
      encoding_limit_minutes: null,
      ends_at: null,
      hd_needs_hardware: false,
      uhd_needs_hardware: false,
      output_protection: 'none',
      licence_seconds: 86_400,
      renewal_seconds: null,
      updated_at: expect.any(String),
      storage_available_bytes: null,
    })
  })

  it('change only the given options', async () => {
    const set = ['plan', 'set', '--account', account, '--json']
    await reelgate(...set, '--storage-bytes', '1073741824')
    const run = await withProvider(...set, '--protection', 'multi-drm')
    expect(run.json()).toMatchObject({
      protection: 'multi-drm',
      storage_limit_bytes: 1_073_741_824,
    })
    const text = (await reelgate('plan', 'show', '--account', account)).stdout
    expect(text).toMatch(/^storage +1\.0 GiB$/m)
  })

  it('refuse Multi-DRM without a DRM provider and change nothing', async () => {
    const set = ['plan', 'set', '--account', account]
    const run = await reelgate(...set, '--protection', 'multi-drm', '--storage-bytes', '7')
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toContain('drm_provider_not_configured')
    expect(run.stderr).toContain('DRM_SPEKE_URL')
    const env = { DATABASE_URL: testDatabase.url, MASTER_KEY, DRM_KEY_MODEL: 'own' }
    const withoutLicences = await cliHarness(env)(...set, '--protection', 'multi-drm')
    expect(withoutLicences.stderr).toContain('set DRM_LICENCE_PROVIDER')
    const shown = await reelgate('plan', 'show', '--account', account, '--json')
    expect(shown.json()).not.toMatchObject({ storage_limit_bytes: 7 })
  })

  it('set and remove the monthly limits of bandwidth and encoding', async () => {
    const set = ['plan', 'set', '--account', account, '--json']
    const show = async () => (await reelgate('plan', 'show', '--account', account)).stdout
    expect(await show()).toMatch(/^bandwidth +unlimited\nencoding +unlimited$/m)
    const limited = { bandwidth_limit_bytes: 2 ** 40, encoding_limit_minutes: 600 }
    await reelgate(...set, '--bandwidth-limit', String(2 ** 40))
    const run = await reelgate(...set, '--encoding-limit-minutes', '600')
    expect(run.json()).toMatchObject(limited)
    const shown = await reelgate('plan', 'show', '--account', account, '--json')
    expect(shown.json()).toMatchObject(limited)
    expect(await show()).toMatch(/^bandwidth +1\.0 TiB a month\nencoding +600 min a month$/m)
    const all = ['--bandwidth-limit', 'unlimited', '--encoding-limit-minutes', 'unlimited']
    expect((await reelgate(...set, ...all)).json()).toMatchObject({
      bandwidth_limit_bytes: null,
      encoding_limit_minutes: null,
    })
  })

  it('set the policy of Multi-DRM licences, and refuse one that contradicts itself', async () => {
    const set = ['plan', 'set', '--account', account, '--json']
    await withProvider(...set, '--protection', 'multi-drm')
    const hardware = ['--hd-needs-hardware', 'true', '--uhd-needs-hardware', 'true']
    const life = ['--licence-seconds', '600', '--renewal-seconds', '120']
    const run = await reelgate(...set, ...hardware, '--output-protection', 'required', ...life)
    expect(run.json()).toMatchObject({
      hd_needs_hardware: true,
      uhd_needs_hardware: true,
      output_protection: 'required',
      licence_seconds: 600,
      renewal_seconds: 120,
    })
    const text = (await reelgate('plan', 'show', '--account', account)).stdout
    expect(text).toMatch(/^hardware +needed for HD and UHD$/m)
    expect(text).toMatch(/^outputs +HDCP required$/m)
    expect(text).toMatch(/^licences +600 s, renewed after 120 s$/m)
    for (const wrong of [
      ['--licence-seconds', '100'],
      ['--licence-seconds', '90000'],
      ['--renewal-seconds', '600'],
      ['--output-protection', 'some'],
    ])
      expect(await reelgate(...set, ...wrong)).toMatchObject({ status: 2, stdout: '' })
    expect((await reelgate(...set, '--renewal-seconds', 'never')).json()).toMatchObject({
      licence_seconds: 600,
      renewal_seconds: null,
    })
  })

  it('accept a limit of 0', async () => {
    const limits = ['--bandwidth-limit', '0', '--encoding-limit-minutes', '0']
    const run = await reelgate('plan', 'set', '--account', account, '--json', ...limits)
    expect(run.json()).toMatchObject({ bandwidth_limit_bytes: 0, encoding_limit_minutes: 0 })
  })

  it('end a plan by its switch or by date', async () => {
    const set = ['plan', 'set', '--account', account, '--json']
    const inForce = async () =>
      (await findActivePlan(database.em.fork(), Number(account), new Date())) !== null
    expect((await reelgate(...set, '--active', 'false')).json()).toMatchObject({
      is_active: false,
      is_enabled: false,
    })
    expect(await inForce()).toBe(false)
    await reelgate(...set, '--active', 'true')
    expect(await inForce()).toBe(true)
    const ended = await reelgate(...set, '--ends-at', '2020-01-01T00:00:00+01:00')
    expect(ended.json()).toMatchObject({
      ends_at: '2019-12-31T23:00:00.000+00:00',
      is_active: false,
      is_enabled: true,
    })
    expect(await inForce()).toBe(false)
    const again = await reelgate(...set, '--ends-at', 'never', '--storage-bytes', 'unlimited')
    expect(again.json()).toMatchObject({
      ends_at: null,
      storage_limit_bytes: null,
      is_active: true,
    })
  })

  it.each([
    ['nothing to change', []],
    ['an invalid date', ['--ends-at', 'tomorrow']],
    ['an invalid size', ['--storage-bytes', '5GB']],
    ['an invalid bandwidth', ['--bandwidth-limit', '-1']],
    ['invalid minutes', ['--encoding-limit-minutes', '1.5']],
    ['more minutes than the column can hold', ['--encoding-limit-minutes', '2147483648']],
    ['an invalid switch', ['--active', 'yes']],
  ])('end with 2 for %s', async (_what, args) => {
    const run = await reelgate('plan', 'set', '--account', account, ...args)
    expect(run).toMatchObject({ status: 2, stdout: '' })
  })
})
