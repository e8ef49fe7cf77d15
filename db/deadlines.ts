import type { Client, Pool } from 'pg'
import { limitThroughPooler, type Pooler } from './through-pooler.ts'
import { watchPool } from './watch-pool.ts'

/** How long one process waits for PostgreSQL. */
export interface DatabaseDeadlines {
  /** How long to wait for a connection: a new one, or a free one of the pool. */
  connectMs: number
  /** After this time PostgreSQL cancels a statement; undefined for no limit. */
  statementMs?: number
  /** How long a transaction whose client has vanished keeps its locks; a minute by default, and no limit without `statementMs`. */
  idleInTransactionMs?: number
}

/** For processes that serve requests: together with the grace below they stay under 5 s. */
export const REQUEST_DEADLINES: DatabaseDeadlines = { connectMs: 1_800, statementMs: 2_500 }

/** For workers, whose sweeps and purges take seconds and whose activities are retried. */
export const WORKER_DEADLINES: DatabaseDeadlines = { connectMs: 10_000, statementMs: 60_000 }

/** For the command line. */
export const CLI_DEADLINES: DatabaseDeadlines = { connectMs: 4_000, statementMs: 30_000 }

/** For migrations, whose duration depends on the data. */
export const NO_STATEMENT_DEADLINE: DatabaseDeadlines = { connectMs: 10_000 }

/** How long a live server has to report that it has cancelled a statement. */
const CANCEL_GRACE_MS = 300
/** How long a connection has to close. */
const CLOSE_TIMEOUT_MS = 1_000
const IDLE_IN_TRANSACTION_MS = 60_000

/** The options of a `pg` pool for these deadlines, through a pooler or not. */
export const poolOptions = (
  { connectMs, statementMs, idleInTransactionMs = IDLE_IN_TRANSACTION_MS }: DatabaseDeadlines,
  pooler: Pooler | null,
) => ({
  connectionTimeoutMillis: connectMs,
  keepAlive: true,
  ...(statementMs !== undefined &&
    pooler === null && {
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
    }),
  onPoolCreated: (pool: Pool): void => {
    watchPool(pool)
    if (statementMs === undefined) return
    pool.on('connect', (client) => {
      if (pooler) limitThroughPooler(client, { statementMs, idleInTransactionMs }, pooler)
      cutOffWhenLate(client, statementMs + CANCEL_GRACE_MS)
    })
  },
})

/**
 * Closes the connection of a statement that has no response after `responseMs`, because a server that is
 * frozen, or behind a network that drops packets, does not apply its own `statement_timeout` either.
 * The statement rejects with the code ETIMEDOUT. The pool discards the connection, so its late response
 * is dropped and its open transaction is rolled back. (The `query_timeout` option of `pg` rejects too,
 * but keeps the connection.)
 */
export function cutOffWhenLate(client: Client, responseMs: number): void {
  const close = (error?: Error) => void client.connection.stream.destroy(error)
  const query = client.query.bind(client)
  const late = () => close(new LateResponseError(responseMs))
  const queryInTime = (...args: unknown[]): unknown => {
    const timer = setTimeout(late, responseMs)
    const settle = () => clearTimeout(timer)
    const settled = args.map((arg) =>
      typeof arg === 'function' ? (...result: unknown[]) => (settle(), arg(...result)) : arg,
    )
    const result: unknown = Reflect.apply(query, undefined, settled)
    if (result instanceof Promise) result.then(settle, settle)
    // Without a promise or a callback it is a cursor, which is read in steps: no limit applies.
    else if (args.every((arg) => typeof arg !== 'function')) settle()
    return result
  }
  const end = client.end.bind(client)
  const endInTime = (...args: unknown[]): unknown => {
    const timer = setTimeout(close, CLOSE_TIMEOUT_MS).unref()
    client.once('end', () => clearTimeout(timer))
    return Reflect.apply(end, undefined, args)
  }
  Object.assign(client, { query: queryInTime, end: endInTime })
}

class LateResponseError extends Error {
  override name = 'LateResponseError'
  readonly code = 'ETIMEDOUT'
  constructor(responseMs: number) {
    super(`PostgreSQL did not respond within ${responseMs} ms`)
  }
}
