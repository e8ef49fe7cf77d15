import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { runSchemathesis } from '../../test/fuzz/run-schemathesis.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { openPooledInstallation, PROCESS_COUNT, type PooledInstallation } from './installation.ts'
import { loadProcesses } from './load-processes.ts'
import { measureStatements } from './measure-statements.ts'

const CONNECTIONS_MAX = 25
const FUZZ_SECONDS = '180'
const SAMPLE_EVERY_MS = 50
const DELIVERED_WITHIN_MS = 60_000

/**
 * Measures what statements cost through PgBouncer. Then counts the connections of PostgreSQL while forty processes work
 * through it: one API is tested with valid and invalid requests of the whole OpenAPI document, and clients call all others.
 */
export async function benchPooler(): Promise<Figure[]> {
  const statements = await measureStatements()
  const installation = await openPooledInstallation()
  const connectionString = installation.databaseUrl
  const observer = new pg.Client({ connectionString, application_name: OBSERVER })
  try {
    await observer.connect()
    return [...(await measureConnections(installation, observer)), ...statements]
  } finally {
    await observer.end()
    await installation.close()
  }
}

const OBSERVER = 'bench'

async function measureConnections(
  installation: PooledInstallation,
  observer: pg.Client,
): Promise<Figure[]> {
  const { processes, pooler, tested, called, folder } = installation
  const ending = new AbortController()
  const load = loadProcesses(installation, ending.signal)
  const most = sampleUntil(ending.signal, installation, observer)
  const baseUrl = processes.api[0]?.baseUrl ?? ''
  const seed = String(randomInt(2 ** 31))
  const status = await runSchemathesis(
    { ...tested, baseUrl, folder },
    { seed, seconds: FUZZ_SECONDS },
  )
  ending.abort()
  const { count, failures } = await load
  for (const [failure, times] of failures) console.error(`  … ${times} times ${failure}`)
  const wrong = [...failures.values()].reduce((sum, times) => sum + times, 0)
  const { sessions, clients } = await most
  const undelivered = await countUndelivered(observer, called.accountId)
  const name = `${PROCESS_COUNT} processes through PgBouncer ${pooler.version}`
  return [
    atMost(`${name}: connections of PostgreSQL`, sessions, '', { most: CONNECTIONS_MAX }),
    asInformation(`${name}: connections of PgBouncer`, clients, ''),
    atMost(`failures of the test of the API (seed ${seed})`, status, '', { most: 0 }),
    atMost(`unexpected responses of ${count} to clients`, wrong, '', { most: 0 }),
    atMost('deliveries that did not arrive', undelivered, '', { most: 0 }),
  ]
}

/** The most connections of PostgreSQL and of PgBouncer at the same time. */
async function sampleUntil(
  signal: AbortSignal,
  { pooler }: PooledInstallation,
  observer: pg.Client,
): Promise<{ sessions: number; clients: number }> {
  let [sessions, clients] = [0, 0]
  for (let sample = 0; !signal.aborted; sample += 1) {
    const { rows } = await observer.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and application_name <> $1`,
      [OBSERVER],
    )
    sessions = Math.max(sessions, rows[0]?.count ?? 0)
    if (sample % 20 === 0) clients = Math.max(clients, await pooler.countClients())
    await sleep(SAMPLE_EVERY_MS)
  }
  return { sessions, clients }
}

/** Counts the test events that have not arrived, after the workers had time for the last ones. */
async function countUndelivered(observer: pg.Client, accountId: number): Promise<number> {
  const deadline = Date.now() + DELIVERED_WITHIN_MS
  for (;;) {
    const { rows } = await observer.query<{ count: number }>(
      `select count(*)::int from webhook_delivery
       where account_id = $1 and event_type = 'webhook.test' and status <> 'delivered'`,
      [accountId],
    )
    const count = rows[0]?.count ?? 0
    if (count === 0 || Date.now() > deadline) return count
    await sleep(500)
  }
}
