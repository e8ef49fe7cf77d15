import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openContext } from '../cli/context.ts'
import { createOutput } from '../cli/output.ts'
import { check } from '../doctor/check.ts'
import { checkDirectDatabase } from '../doctor/database-addresses.ts'
import { checkDatabase, ofDatabase } from '../doctor/services.ts'
import { SCOPES } from '../domain/accounts/scopes.ts'
import { reasonOf } from '../processes/readiness.ts'
import { pinnedNode, projectDir } from '../scripts/bootstrap/tools.mjs'
import { freePort } from '../scripts/embedded/ports.ts'
import { formatMasterKeys } from '../security/sealing/sealing.ts'
import { createKeyFixture } from '../test/fixtures/account.ts'
import { cliHarness } from '../test/fixtures/cli.ts'
import { openEmptyDatabase } from '../test/fixtures/empty-database.ts'
import { setUpRelayFixture } from '../test/fixtures/relay.ts'
import { startPgbouncer, type Pgbouncer } from '../test/infrastructure/pgbouncer.ts'
import { startServerProcess } from '../test/infrastructure/server-process.ts'
import { until, waitFor } from '../test/infrastructure/wait-for.ts'
import { connectForBackup } from './backup/connection.ts'
import { openDatabase, type Database } from './database.ts'
import { migrate, readMigrations } from './migrate.ts'
import { readPooling } from './pooling.ts'
import { runStatement } from './queries.ts'
import { pingDatabase } from './upkeep/health.ts'

/** Fewer sessions than connections, so that these change between them. */
const SESSIONS = 3
const DEADLINES = { connectMs: 5_000, statementMs: 400, idleInTransactionMs: 400 }
const UNNAMED = { keepsStatements: false }
const INSERT = `insert into account (name, settings, sealed_signing_secret) values ('a', '{}', 's')`

const t = setUpRelayFixture()
let folder: string
let pooler: Pgbouncer
/** The address of the database of `t` through the pooler. */
let pooled: string
/** The settings of a process. */
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-pooler-'))
  const { databaseUrl, masterKeys } = t.webhooks
  pooler = await startPgbouncer(databaseUrl, { poolSize: SESSIONS })
  pooled = pooler.through(databaseUrl)
  env = {
    DATABASE_URL: pooled,
    DATABASE_DIRECT_URL: databaseUrl,
    MASTER_KEY: formatMasterKeys(masterKeys),
    STORAGE_DIR: join(folder, 'storage'),
    REELGATE_DATA_DIR: folder,
    TEMPORAL_ADDRESS: t.temporal.address,
  }
})
afterAll(async () => {
  await pooler.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('through a pooler in transaction mode', () => {
  let db: Database
  const execute = <Row extends object = object>(sql: string) => db.em.fork().execute<Row[]>(sql)
  beforeAll(async () => {
    db = await openDatabase({ url: pooled, pooler: UNNAMED, poolSize: 8, deadlines: DEADLINES })
  })
  afterAll(() => db.close(true))

  it.each<[string, () => Promise<unknown>]>([
    ['a statement', () => execute('select pg_sleep(20)')],
    ['one with values', () => runStatement(db, { name: 'nap', text: 'select pg_sleep($1)' }, [20])],
    ['one of a transaction', () => db.em.transactional((tx) => tx.execute('select pg_sleep(20)'))],
  ])('%s beyond its deadline is cancelled by PostgreSQL', async (_what, run) => {
    await expect(run()).rejects.toMatchObject({ code: '57014' })
    const left = await execute(`select current_setting('statement_timeout') as limit`)
    expect(left).toEqual([{ limit: '400ms' }])
  })

  it('a transaction whose process is frozen loses its locks', async () => {
    const frozen = db.em.fork().transactional(async (tx) => {
      await tx.execute('lock table account in access exclusive mode')
      await waitFor('the lock to be free', async () => {
        const held = await t.webhooks.execute(
          `select 1 from pg_locks where relation = 'account'::regclass and mode = 'AccessExclusiveLock'`,
        )
        return held.length === 0
      })
      await tx.execute(INSERT)
    })
    await expect(frozen).rejects.toThrow()
  })

  it('no setting and no prepared statement stays in a session', async () => {
    const statement = { name: 'one', text: 'select $1::int as n, pg_backend_pid() as pid' }
    const run = (n: number) => runStatement<{ n: number; pid: number }>(db, statement, [n])
    const rows = await Promise.all(Array.from({ length: 24 }, (_, n) => run(n)))
    expect(rows.map(([row]) => row?.n)).toEqual(Array.from({ length: 24 }, (_, n) => n))
    expect(new Set(rows.map(([row]) => row?.pid)).size).toBeLessThanOrEqual(SESSIONS)
    const sessions = await openDatabase({ url: pooled, pooler: UNNAMED })
    const seen = await sessions.em.fork().execute(
      `select current_setting('statement_timeout') as limit,
         current_setting('idle_in_transaction_session_timeout') as idle,
         (select count(*)::int from pg_prepared_statements) as prepared`,
    )
    await sessions.close(true)
    expect(seen).toEqual([{ limit: '0', idle: '0', prepared: 0 }])
  })

  it('a statement has a name if the pooler keeps names, also one that failed before', async () => {
    const named = await openDatabase({
      url: t.webhooks.databaseUrl,
      pooler: { keepsStatements: true },
      deadlines: DEADLINES,
      poolSize: 1,
    })
    const statement = { name: 'late', text: 'select $1::int as n from late_table' }
    const prepared = () =>
      named.em
        .fork()
        .execute(`select name, generic_plans + custom_plans as runs from pg_prepared_statements`)
    await expect(runStatement(named, statement, [1])).rejects.toMatchObject({ code: '42P01' })
    await t.webhooks.execute('create table late_table as select 1')
    for (const n of [2, 3]) expect(await runStatement(named, statement, [n])).toEqual([{ n }])
    expect(await prepared()).toEqual([{ name: 'late', runs: 2 }])
    await named.close(true)
    await t.webhooks.execute('drop table late_table')
  })

  it('what needs a session of its own refuses it, and says which setting is missing', async () => {
    expect(await readPooling(pooled)).toBe('transaction')
    expect(await readPooling(t.webhooks.databaseUrl)).toBe('none')
    const refusal = /pooler .* in transaction mode: let DATABASE_DIRECT_URL name PostgreSQL/
    await expect(migrate(pooled)).rejects.toThrow(refusal)
    await expect(connectForBackup(pooled)).rejects.toThrow(refusal)
    const worker = await runProcess('worker.ts', {
      DATABASE_DIRECT_URL: pooled,
      WORKER_QUEUES: 'webhooks',
    })
    expect(worker).toEqual({ status: 1, stderr: expect.stringMatching(refusal) })
  })
})

/** Runs a process of the service until it ends by itself. */
async function runProcess(script: string, more: Record<string, string>) {
  const { exitCode, stderr } = await execa(pinnedNode, ['--no-warnings', script], {
    cwd: projectDir,
    env: { ...env, LOG_LEVEL: 'silent', ...more },
    reject: false,
    timeout: 60_000,
  })
  return { status: exitCode, stderr }
}

describe('an installation behind a pooler', () => {
  it('migrates an empty database', async () => {
    const empty = await openEmptyDatabase(t.webhooks.databaseUrl)
    const setUp = await runProcess('scripts/set-up.ts', {
      DATABASE_URL: pooler.through(empty.url),
      DATABASE_DIRECT_URL: empty.url,
    })
    expect(setUp).toEqual({ status: 0, stderr: '' })
    const db = await openDatabase({ url: pooler.through(empty.url), pooler: UNNAMED })
    expect(await readMigrations(db.em.fork())).not.toEqual([])
    await db.close(true)
    await empty.drop()
  })

  it('serves the API, and delivers what it requests before the relay polls', async () => {
    const { db, accountId, databaseUrl } = t.webhooks
    const key = await createKeyFixture(db, accountId, SCOPES)
    const port = await freePort()
    const api = await startServerProcess({
      script: 'api/server.ts',
      baseUrl: `http://127.0.0.1:${port}`,
      env: { ...env, API_PORT: String(port) },
      logFile: join(folder, 'api.log'),
    })
    const throughPooler = await openDatabase({ url: pooled, pooler: UNNAMED, deadlines: DEADLINES })
    const call = async (method: string, path: string) => {
      const headers = { Authorization: `Bearer ${key}` }
      const response = await fetch(`${api.baseUrl}${path}`, { method, headers })
      return { status: response.status, json: (await response.json()) as { data?: unknown[] } }
    }
    await t.startRelay({ db: throughPooler, databaseUrl, pollMs: 3_600_000 })
    const sent = () => t.webhooks.execute('select id from webhook_delivery')
    for (let n = 1; n <= 3; n += 1) {
      const test = await call('POST', `/v1/webhook-endpoints/${t.endpointId}/test`)
      expect(test).toMatchObject({ status: 202 })
      await until(async () => t.received.length === n && (await t.isDone()))
    }
    expect(await sent()).toHaveLength(3)
    // An event is shown once older transactions of the server, also those of other tests, have ended.
    await until(async () => (await call('GET', '/v1/events')).json.data?.length === 3)
    expect(await fetch(`${api.baseUrl}/readyz`)).toMatchObject({ status: 200 })
    await Promise.all([api.stop(), t.stopRelays()])
    await throughPooler.close(true)
  })

  it('makes backups, and tries out that they can be restored', async () => {
    const reelgate = cliHarness(env)
    const backup = await reelgate('backup', join(folder, 'backups'), '--json')
    expect(backup).toMatchObject({ status: 0, stderr: '' })
    const drill = await reelgate('restore', join(folder, 'backups'), '--drill', '--json')
    expect(drill.json()).toMatchObject({ ok: true })
  })
})

describe('doctor', () => {
  /** What it says about the addresses; failures begin with ✗. */
  const findings = async (addresses: Record<string, string>) => {
    const context = await openContext(
      {},
      createOutput(true, () => {}),
      { ...env, ...addresses },
    )
    const installation = { ...context, storage: null }
    const found = await Promise.all([
      check('database', () => checkDatabase(installation).catch(ofDatabase)),
      check('direct database', () => checkDirectDatabase(installation)),
    ])
    await context.close()
    return found.map(({ ok, detail }) => (ok ? detail : `✗ ${detail}`))
  }

  it('says which address names a pooler, and which PostgreSQL itself', async () => {
    const { stdout } = await cliHarness(env)('doctor')
    expect(stdout).toMatch(/^✓ database .*, through a pooler in transaction mode$/m)
    expect(stdout).toMatch(/^✓ direct database +PostgreSQL itself$/m)
    expect(await findings({ DATABASE_URL: t.webhooks.databaseUrl })).toEqual([
      expect.stringMatching(/, without a pooler: DATABASE_DIRECT_URL is not needed$/),
      'PostgreSQL itself',
    ])
  })

  it.each([
    ['a pooler', () => pooled, /^✗ DATABASE_DIRECT_URL names a connection pooler in transaction/],
    [
      'another database',
      () => pathOf('/postgres'),
      /^✗ DATABASE_DIRECT_URL names another database/,
    ],
    ['nothing', () => 'postgres://127.0.0.1:9/x', /^✗ .* cannot be reached: .*DATABASE_DIRECT_URL/],
  ])('finds a direct address that names %s', async (_what, url, advice) => {
    expect((await findings({ DATABASE_DIRECT_URL: url() }))[1]).toMatch(advice)
  })

  it('finds a pooler without a direct address, as a process does that starts', async () => {
    const strict = await findings({ DATABASE_DIRECT_URL: '' })
    expect(strict[0]).toMatch(
      /^✗ PostgreSQL is behind a connection pooler \(such as PgBouncer\)[^\n]*: set DATABASE_DIRECT_URL to/,
    )
    const api = await runProcess('api/server.ts', { DATABASE_DIRECT_URL: '' })
    expect(api).toEqual({ status: 1, stderr: strict[0]?.replace('✗ ', '') })
    const ignored = 'statement_timeout, idle_in_transaction_session_timeout'
    const lenient = await startPgbouncer(t.webhooks.databaseUrl, { ignored })
    const url = lenient.through(t.webhooks.databaseUrl)
    expect((await findings({ DATABASE_URL: url, DATABASE_DIRECT_URL: '' }))[0]).toMatch(
      /^✗ DATABASE_URL names a connection pooler .* in transaction mode: set DATABASE_DIRECT_URL/,
    )
    await lenient.stop()
  })

  const pathOf = (pathname: string) =>
    Object.assign(new URL(t.webhooks.databaseUrl), { pathname }).href
})

describe('a connection that shares its session with others, without the setting for poolers', () => {
  const SENTENCE =
    'is behind a connection pooler (such as PgBouncer) that does not pass on sessions'
  let db: Database
  const execute = (sql: string) => db.em.fork().execute(sql)
  const reason = () => pingDatabase(db.em.fork()).then(() => null, reasonOf)
  beforeEach(async () => {
    db = await openDatabase({ url: t.webhooks.databaseUrl, poolSize: 1 })
  })
  afterEach(() => db.close(true))

  it('is not ready when another one has prepared its statement', async () => {
    await execute('prepare writability as select 1')
    expect(await reason()).toBe(SENTENCE)
  })

  it('is not ready when its prepared statement is gone', async () => {
    expect(await reason()).toBeNull()
    await execute('deallocate all')
    expect(await reason()).toBe(SENTENCE)
  })

  it('is not ready after a request that failed for this', async () => {
    await execute('prepare of_a_request as select 1')
    const failed = runStatement(db, { name: 'of_a_request', text: 'select 1' }, [])
    await expect(failed).rejects.toMatchObject({ code: '42P05' })
    expect(await reason()).toBe(SENTENCE)
  })
})
