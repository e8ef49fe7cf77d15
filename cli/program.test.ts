import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pinnedNode, projectDir } from '../scripts/bootstrap/tools.mjs'
import { cliHarness, cliProcess } from '../test/fixtures/cli.ts'
import {
  createTestDatabase,
  s3Server,
  temporalAddress,
  type TestDatabase,
} from '../test/infrastructure/services.ts'
import { withClient } from '../test/infrastructure/with-client.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
let testDatabase: TestDatabase
let dataDir: string

beforeAll(async () => {
  testDatabase = await createTestDatabase()
})

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'reelgate-cli-'))
})

afterEach(() => rm(dataDir, { recursive: true }))
afterAll(() => testDatabase.drop())

const writeRuntime = (pid: number, more = {}) =>
  writeFile(
    join(dataDir, 'runtime.json'),
    JSON.stringify({
      pid,
      databaseUrl: testDatabase.url,
      temporalAddress: '127.0.0.1:1',
      api: 'http://127.0.0.1:8080',
      player: 'http://127.0.0.1:8081',
      temporalUi: 'http://127.0.0.1:8233',
      ...more,
    }),
  )

// No process has this pid.
const DEAD_PID = 2_147_483_646

describe('the program', () => {
  it('writes results to stdout, errors to stderr, and ends with the status', async () => {
    const reelgate = cliProcess({ DATABASE_URL: testDatabase.url })
    const [help, list, wrong, missing] = await Promise.all([
      reelgate('--help'),
      reelgate('accounts', 'list'),
      reelgate('accounts', 'list', '--all'),
      reelgate('plan', 'show', '--account', '999999'),
    ])
    expect(help).toMatchObject({ status: 0, stderr: '' })
    expect(help.stdout).toContain('Administers a Reelgate installation.')
    expect(list).toMatchObject({ status: 0, stdout: 'No accounts.', stderr: '' })
    expect(wrong).toMatchObject({ status: 2, stdout: '' })
    expect(wrong.stderr).toContain("unknown option '--all'")
    const stderr = 'reelgate: There is no account 999999.'
    expect(missing).toMatchObject({ status: 1, stdout: '', stderr })
  })

  it('says in one line that its result cannot be written, and nothing if its reader has ended', async () => {
    const to = async (shell: string) => {
      const reelgate = `"$0" --no-warnings cli/main.ts accounts list`
      const { stdout, stderr } = await execa('bash', ['-c', `${reelgate} ${shell}`, pinnedNode], {
        env: { DATABASE_URL: testDatabase.url, LOG_LEVEL: 'error' },
        cwd: projectDir,
        timeout: 60_000,
      })
      return { stdout, stderr }
    }
    const [full, json, ended] = await Promise.all([
      to('> /dev/full || echo $? '),
      to('--json > /dev/full || echo $?'),
      to('| true; echo ${PIPESTATUS[0]}'),
    ])
    const words = 'the disk is full: ENOSPC: no space left on device, write.'
    expect(full).toEqual({ stdout: '1', stderr: `reelgate: ${words}` })
    expect(json.stdout).toBe('1')
    expect(JSON.parse(json.stderr)).toEqual({
      error: { type: 'api_error', code: 'output_not_written', message: words },
    })
    expect(ended).toEqual({ stdout: '1', stderr: '' })
  })
})

describe('the command line', () => {
  it('reads from the running instance whether it has a DRM provider', async () => {
    await writeFile(join(dataDir, 'master.key'), `${MASTER_KEY}\n`)
    const reelgate = cliHarness({ DATABASE_URL: '', MASTER_KEY: '' })
    const create = ['accounts', 'create', '--name', 'Drm', '--plan', 'multi-drm']
    for (const hasDrmProvider of [true, false]) {
      await writeRuntime(process.pid, { hasDrmProvider })
      const { status } = await reelgate('--data-dir', dataDir, ...create)
      expect(status).toBe(hasDrmProvider ? 0 : 1)
    }
  })

  it('finds the running instance and its master key by --data-dir, before or after the verb', async () => {
    await writeRuntime(process.pid)
    await writeFile(join(dataDir, 'master.key'), `${MASTER_KEY}\n`)
    const reelgate = cliHarness({ DATABASE_URL: '', MASTER_KEY: '' })
    const create = ['accounts', 'create', '--name', 'Anna', '--plan', 'clearkey']
    const { id } = (await reelgate('--json', '--data-dir', dataDir, ...create)).json<{
      id: number
    }>()
    const show = [
      'signing-secret',
      'show',
      '--account',
      String(id),
      '--json',
      '--data-dir',
      dataDir,
    ]
    expect((await reelgate(...show)).json()).toMatchObject({ account_id: id })
  })

  it('advises to start the service if nothing runs and DATABASE_URL is not set', async () => {
    const reelgate = cliHarness({ DATABASE_URL: '', MASTER_KEY })
    const run = await reelgate('accounts', 'list', '--data-dir', dataDir)
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toContain('start it first: npm start')
  })

  it('ignores the file of a killed instance', async () => {
    await writeRuntime(DEAD_PID)
    const run = await cliHarness({ DATABASE_URL: '' })('accounts', 'list', '--data-dir', dataDir)
    expect(run.stderr).toContain('start it first: npm start')
  })

  it('reports in one line that the database cannot be reached', async () => {
    const reelgate = cliHarness({ DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/x' })
    const run = await reelgate('accounts', 'list')
    expect(run.status).toBe(1)
    expect(run.stderr).toMatch(/^reelgate: PostgreSQL cannot be reached: start it[^\n]*$/)
    expect(run.stderr).not.toContain('hidden')
  })

  it('names the wrong variable', async () => {
    const run = await cliHarness({ API_PORT: 'many' })('accounts', 'list')
    expect(run.status).toBe(1)
    expect(run.stderr).toContain('API_PORT')
  })

  it.each([
    ['no verb', ['accounts']],
    ['an unknown noun', ['acounts', 'list']],
    ['an unknown verb', ['accounts', 'remove']],
    ['an unknown option', ['accounts', 'list', '--all']],
    ['an account that is no number', ['plan', 'show', '--account', 'anna']],
    ['an account that is larger than any', ['plan', 'show', '--account', '2147483648']],
    ['an API key that is larger than any', ['keys', 'revoke', '2147483648']],
    ['a missing account', ['settings', 'get']],
    ['a surplus argument', ['accounts', 'list', 'all']],
  ])('ends with 2 for %s', async (_what, args) => {
    const run = await cliHarness({ DATABASE_URL: testDatabase.url })(...args)
    expect(run).toMatchObject({ status: 2, stdout: '' })
    expect(run.stderr).not.toBe('')
  })

  it('ends with 0 for --help, which lists every option of the verb', async () => {
    const run = await cliHarness({})('plan', 'set', '--help')
    expect(run.status).toBe(0)
    for (const option of ['--ends-at', '--storage-bytes', '--json', '--data-dir'])
      expect(run.stdout).toContain(option)
  })
})

interface Report {
  ok: boolean
  checks: { name: string; ok: boolean; detail: string }[]
}

describe('doctor', () => {
  it('reports the failed checks, continues with the others, and ends with 1', async () => {
    const bucket = await s3Server()
    const address = 'http://127.0.0.1:1'
    const reelgate = cliHarness({
      DATABASE_URL: testDatabase.url,
      TEMPORAL_ADDRESS: await temporalAddress(),
      S3_ENDPOINT: bucket.endpoint,
      S3_REGION: bucket.region,
      S3_BUCKET: bucket.bucket,
      S3_ACCESS_KEY: bucket.accessKey,
      S3_SECRET_KEY: bucket.secretKey,
      MASTER_KEY: 'short-and-wrong'.padEnd(64, 'x'),
      API_BASE_URL: address,
      EMBED_BASE_URL: address,
      DASHBOARD_BASE_URL: address,
    })
    const run = await reelgate('doctor', '--json', '--data-dir', dataDir)
    expect(run.status).toBe(1)
    const { ok, checks } = run.json<Report>()
    expect(ok).toBe(false)
    const names = (isOk: boolean) => checks.filter((one) => one.ok === isOk).map(({ name }) => name)
    const well = ['node', 'ffmpeg', 'packager', 'database', 'temporal', 'namespaces', 'storage']
    expect(names(true)).toEqual([...well, 'outbox', 'sequences', 'partitions', 'disk', 'clocks'])
    const queues = [
      'queue ingest',
      'queue download',
      'queue encode-first',
      'queue encode',
      'queue webhooks',
      'queue deliveries',
    ]
    expect(names(false)).toEqual(['master key', 'api', 'player', 'dashboard', ...queues])
    expect(run.stderr).toContain(
      `Failed: master key, api, player, dashboard, ${queues.join(', ')}.`,
    )
    expect(run.stdout).not.toContain('short-and-wrong')
  })

  it('names a kind of id of which more than half is used, and a table whose rows have no partition', async () => {
    // One that responds: the doctor waits for another.
    const address = await temporalAddress()
    const reelgate = cliHarness({ DATABASE_URL: testDatabase.url, TEMPORAL_ADDRESS: address })
    await withClient(testDatabase.url, async (client) => {
      await client.query(`select setval('api_key_id_seq', ${2 ** 30})`)
      await client.query(
        `insert into security_event (id, account_id, event_type, severity, details)
         values (${Number.MAX_SAFE_INTEGER}, 1, 'x', 'low', '{}')`,
      )
    })
    const { checks } = (await reelgate('doctor', '--json', '--data-dir', dataDir)).json<Report>()
    const detail = expect.stringContaining('api_key_id_seq has given 50 % of its ids')
    expect(checks.find(({ name }) => name === 'sequences')).toMatchObject({ ok: false, detail })
    const late = expect.stringContaining('security_event had or has none ahead')
    expect(checks.find(({ name }) => name === 'partitions')).toMatchObject({
      ok: false,
      detail: late,
    })
  })

  it('checks the storage and the disk of the data folder, and writes a line for each check', async () => {
    const reelgate = cliHarness({ DATABASE_URL: '', TEMPORAL_ADDRESS: await temporalAddress() })
    const doctor = ['doctor', '--data-dir', dataDir]
    const [run, text] = await Promise.all([reelgate(...doctor, '--json'), reelgate(...doctor)])
    expect(run.status).toBe(1)
    const { checks } = run.json<Report>()
    const storage = checks.find(({ name }) => name === 'storage')
    expect(storage).toMatchObject({ ok: true, detail: join(dataDir, 'storage') })
    const disk = checks.find(({ name }) => name === 'disk')
    expect(disk).toMatchObject({ ok: true, detail: expect.stringContaining(`free in ${dataDir}`) })
    expect(text.stdout).toMatch(/^✓ node +v24\./m)
    expect(text.stdout).toMatch(/^✗ database +Nothing is running on .* npm start$/m)
  })
})
