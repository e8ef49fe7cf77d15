import pg from 'pg'
import { DatabaseUnusableError } from './await-database.ts'

/** What an address of PostgreSQL names: itself, or a pooler that gives each client or each transaction a session. */
export type Pooling = 'none' | 'session' | 'transaction'

const CONNECT_TIMEOUT_MS = 4_000
/** Another client may have the session for a moment. */
const PROBES = 8

/** Finds out what an address names. Rejects if nothing responds. */
export const readPooling = (url: string): Promise<Pooling> =>
  withConnection(url, (client) => poolingOf(client, url))

/** The same for a connection that is open. */
async function poolingOf(client: pg.Client, url: string): Promise<Pooling> {
  // A pooler makes a number of its own for each client.
  const { processID } = client as pg.Client & { processID: number | null }
  const before = await backendOf(client)
  if (before === processID) return 'none'
  return withConnection(url, async (other) => {
    for (let probe = 0; probe < PROBES; probe += 1) {
      if ((await backendOf(client)) !== before) return 'transaction'
      // Poolers give the session that became free last, or take turns, of any length.
      for (let turn = 0; turn <= probe; turn += 1)
        if ((await backendOf(other)) === before) return 'transaction'
    }
    return 'session'
  })
}

/** Whether two addresses lead to the same database of the same server. */
export async function areSameDatabase(urls: readonly [string, string]): Promise<boolean> {
  const identities = await Promise.all(
    urls.map((url) =>
      withConnection(url, async (client) => {
        const { rows } = await client.query<{ identity: string }>(
          `select current_database() || ' ' || extract(epoch from pg_postmaster_start_time()) as identity`,
        )
        return rows[0]?.identity
      }),
    ),
  )
  return identities[0] === identities[1]
}

/** Throws a DatabaseUnusableError if the address names a pooler that gives each transaction another session. */
export async function requireSessions(url: string): Promise<void> {
  if ((await readPooling(url)) === 'transaction') throw new DatabaseUnusableError(NO_SESSIONS)
}

/** The same for a connection that is open. */
export async function requireSession(client: pg.Client, url: string): Promise<void> {
  if ((await poolingOf(client, url)) === 'transaction') throw new DatabaseUnusableError(NO_SESSIONS)
}

const NO_SESSIONS =
  'This needs PostgreSQL itself, and the address names a connection pooler (such as PgBouncer) in transaction mode: let DATABASE_DIRECT_URL name PostgreSQL'

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

async function withConnection<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
