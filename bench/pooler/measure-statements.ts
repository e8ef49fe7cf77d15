import { findSigningFacts } from '../../db/accounts/signing-facts.ts'
import { countAdmissions } from '../../db/accounts/write-api-keys.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { REQUEST_DEADLINES } from '../../db/deadlines.ts'
import { migrate } from '../../db/migrate.ts'
import type { Pooler } from '../../db/through-pooler.ts'
import { insertEvents } from '../../db/webhooks/write-events.ts'
import { hashApiKey } from '../../security/api-key.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { createAccountFixture } from '../../test/fixtures/account.ts'
import { insertVideoFixture } from '../../test/fixtures/video-rows.ts'
import { startPgbouncer } from '../../test/infrastructure/pgbouncer.ts'
import { processorSeconds } from '../cores.ts'
import { asInformation, type Figure } from '../figure.ts'
import { median } from '../load.ts'
import { newEvent } from '../new-event.ts'
import { openBenchServers } from '../servers.ts'

const ROUNDS = 5
const WARM_UP_ROUNDS = 1
const CALLS = 1_000

interface MeasuredAccount {
  accountId: number
  keyHash: string
  videoId: string
}

interface Ways {
  databases: Record<string, Database>
  poolerPid: number
}

type Statement = (db: Database) => () => Promise<unknown>

const NO_LIMIT = 1_000_000_000

/** The statements of a POST of a playback token, and a transaction that writes an event. */
const statementsOf = ({
  accountId,
  keyHash,
  videoId,
}: MeasuredAccount): Record<string, Statement> => {
  return {
    'find a key and count its request': (db) => {
      const admit = countAdmissions(db, { perMinute: NO_LIMIT, perDay: NO_LIMIT })
      return () => admit(keyHash)
    },
    'find what signs a playback token': (db) => () => findSigningFacts(db, accountId, videoId),
    'write an event in a transaction': (db) => () =>
      db.em.fork().transactional((tx) => insertEvents(tx, [newEvent(accountId)])),
  }
}

/**
 * Measures the processor time of statements, of this process, PgBouncer and PostgreSQL together: through PgBouncer, and at
 * PostgreSQL itself with the limits that travel with each of them and with and without their names, beside connections without a pooler.
 */
export async function measureStatements(): Promise<Figure[]> {
  const servers = await openBenchServers('statements', [])
  const { databaseUrl, masterKey } = servers
  try {
    const account = await fillDatabase(databaseUrl, masterKey)
    const pooler = await startPgbouncer(databaseUrl)
    const databases = await openWays(databaseUrl, pooler.through(databaseUrl))
    const figures = await measureWays({ databases, poolerPid: pooler.pid }, account)
    await Promise.all(Object.values(databases).map((db) => db.close(true)))
    await pooler.stop()
    return figures
  } finally {
    await servers.close()
  }
}

async function fillDatabase(url: string, masterKey: string): Promise<MeasuredAccount> {
  await migrate(url)
  const db = await openDatabase({ url, poolSize: 1 })
  const { id: accountId, key } = await createAccountFixture(db, parseMasterKeys(masterKey))
  const videoId = await insertVideoFixture(db, { accountId })
  // The disk takes more time than the statements, and not always the same.
  await db.em.fork().execute('alter system set synchronous_commit = off')
  await db.em.fork().execute('select pg_reload_conf()')
  await db.close(true)
  return { accountId, videoId, keyHash: hashApiKey(key) }
}

async function openWays(directUrl: string, pooledUrl: string): Promise<Record<string, Database>> {
  const open = (url: string, pooler: Pooler | null) =>
    openDatabase({ url, pooler, poolSize: 1, deadlines: REQUEST_DEADLINES })
  return {
    itself: await open(directUrl, null),
    'with limits': await open(directUrl, { keepsStatements: true }),
    'with limits, unnamed': await open(directUrl, { keepsStatements: false }),
    'through PgBouncer, unnamed': await open(pooledUrl, { keepsStatements: false }),
  }
}

async function measureWays(ways: Ways, account: MeasuredAccount): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, statement] of Object.entries(statementsOf(account))) {
    const { itself: anchor = 0, ...others } = await costsOf(ways, statement)
    for (const [way, ms] of Object.entries(others))
      figures.push(asInformation(`${name}: ${way}`, ms, 'ms', { anchor }))
  }
  return figures
}

/** The median over the rounds of the processor time of one call, in ms, by way. The ways take turns. */
async function costsOf(ways: Ways, statement: Statement): Promise<Record<string, number>> {
  const calls = Object.entries(ways.databases).map(([way, db]) => ({
    way,
    db,
    call: statement(db),
    costs: [] as number[],
  }))
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round += 1)
    for (const { db, call, costs } of calls) {
      const pids = [await sessionOf(db), ways.poolerPid]
      const before = spentMs(pids)
      for (let made = 0; made < CALLS; made += 1) await call()
      if (round > 0) costs.push((spentMs(pids) - before) / CALLS)
    }
  return Object.fromEntries(calls.map(({ way, costs }) => [way, median(costs)]))
}

/** The process of PostgreSQL that serves the only connection. */
async function sessionOf(db: Database): Promise<number> {
  const [row] = await db.em.fork().execute<{ pid: number }[]>('select pg_backend_pid() as pid')
  return row?.pid ?? 0
}

/** The processor time of this process and others. */
function spentMs(pids: number[]): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + 1000 * pids.reduce((sum, pid) => sum + processorSeconds(pid), 0)
}
