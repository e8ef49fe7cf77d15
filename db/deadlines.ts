import type { Client, Pool } from 'pg'

/** How long one process waits for PostgreSQL. */
export interface DatabaseDeadlines {
  /** For a connection: a new one, or a free one of the pool. */
  connectMs: number
  /** For one statement; PostgreSQL cancels it then. Undefined: no limit. */
  statementMs?: number
}

/** Of a process that answers requests: together with the grace below they stay under 5 s. */
export const REQUEST_DEADLINES: DatabaseDeadlines = { connectMs: 1_800, statementMs: 2_500 }

/** Of a worker, whose sweeps and purges take seconds and whose activities are tried again. */
export const WORKER_DEADLINES: DatabaseDeadlines = { connectMs: 10_000, statementMs: 60_000 }

/** Of an operator's command. */
export const CLI_DEADLINES: DatabaseDeadlines = { connectMs: 4_000, statementMs: 30_000 }

/** Of migrations, which take as long as they take. */
export const NO_STATEMENT_DEADLINE: DatabaseDeadlines = { connectMs: 10_000 }

/** How long a server that is alive has for its answer that it has cancelled a statement. */
const CANCEL_GRACE_MS = 300
/** How long a connection has to say goodbye. */
const GOODBYE_MS = 1_000
/** A transaction whose client has vanished holds its locks for no longer. */
const IDLE_IN_TRANSACTION_MS = 60_000

/** The options of a pool of `pg` that keep to `deadlines`. */
export const poolOptions = ({ connectMs, statementMs }: DatabaseDeadlines) => ({
  connectionTimeoutMillis: connectMs,
  keepAlive: true,
  ...(statementMs !== undefined && {
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    onPoolCreated: (pool: Pool) =>
      void pool.on('connect', (client) => cutOffWhenLate(client, statementMs + CANCEL_GRACE_MS)),
  }),
})

/**
 * Closes the connection of a statement that has no answer after `answerMs`: a server that is frozen,
 * or behind a network that drops packets, does not answer its own `statement_timeout` either. The
 * statement rejects with the code ETIMEDOUT, and the pool throws the connection away, so its late
 * answer is dropped and its open transaction is rolled back. (The option `query_timeout` of `pg`
 * rejects too, but keeps the connection.)
 */
export function cutOffWhenLate(client: Client, answerMs: number): void {
  const close = (error?: Error) => void client.connection.stream.destroy(error)
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const late = () => close(new LateAnswerError(answerMs))
  const queryInTime = (...args: unknown[]): unknown => {
    const timer = setTimeout(late, answerMs)
    const answered = () => clearTimeout(timer)
    const settled = args.map((arg) =>
      typeof arg === 'function' ? (...result: unknown[]) => (answered(), arg(...result)) : arg,
    )
    const answer = query(...settled)
    if (answer instanceof Promise) answer.then(answered, answered)
    // A cursor is read at its reader's pace.
    else if (args.every((arg) => typeof arg !== 'function')) answered()
    return answer
  }
  const end = client.end.bind(client) as (...args: unknown[]) => unknown
  const endInTime = (...args: unknown[]): unknown => {
    const timer = setTimeout(close, GOODBYE_MS).unref()
    client.once('end', () => clearTimeout(timer))
    return end(...args)
  }
  Object.assign(client, { query: queryInTime, end: endInTime })
}

class LateAnswerError extends Error {
  override name = 'LateAnswerError'
  readonly code = 'ETIMEDOUT'
  constructor(answerMs: number) {
    super(`PostgreSQL did not answer within ${answerMs} ms`)
  }
}
