import { Query, type Client, type Connection, type QueryConfig } from 'pg'

/** What is known of a connection pooler in transaction mode, which may give each transaction another session. */
export interface Pooler {
  /** Whether it passes on the names of statements (PgBouncer from 1.21). */
  keepsStatements: boolean
}

interface Limits {
  statementMs: number
  idleInTransactionMs: number
}

/**
 * Gives each transaction and each single statement of a client its limits, because settings of a session do not pass a
 * pooler. They travel in the message of `begin` or of the statement and end with the transaction, so they need no round
 * trip. A statement has no name unless the pooler keeps them.
 */
export function limitThroughPooler(
  client: Client,
  { statementMs, idleInTransactionMs }: Limits,
  { keepsStatements }: Pooler,
): void {
  const query = client.query.bind(client)
  const pass = (...args: unknown[]): unknown => Reflect.apply(query, undefined, args)
  const ofTransaction = `set local statement_timeout = ${statementMs};
    set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`
  const queryLimited = (statement: string | QueryConfig | Query, ...rest: unknown[]): unknown => {
    // A cursor or a COPY: it is in a transaction, which has its limits.
    if (typeof statement === 'object' && 'submit' in statement) return pass(statement, ...rest)
    const config = typeof statement === 'string' ? { text: statement } : { ...statement }
    if (!keepsStatements) delete config.name
    if (client.getTransactionStatus() !== 'I') return pass(config, ...rest)
    if (/^(begin|start transaction)\b/i.test(config.text))
      return pass({ ...config, text: `${config.text}; ${ofTransaction}` }, ...rest)
    const values = rest.find((arg) => Array.isArray(arg)) ?? config.values ?? []
    const limited = new LimitedQuery({ ...config, values }, statementMs)
    const done = rest.find((arg) => typeof arg === 'function')
    return done ? pass(limited, done) : promiseOf((settle) => pass(limited, settle))
  }
  Object.assign(client, { query: queryLimited })
}

type Settle = (error: Error | undefined, result: unknown) => void

function promiseOf(run: (settle: Settle) => void): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  run((error, result) => (error ? reject(error) : resolve(result)))
  // The stack of an error leads to the socket; callers need their own.
  return promise.catch((error: Error) => {
    Error.captureStackTrace(error)
    throw error
  })
}

/** What `pg` calls of a query; its types leave the handlers out. */
interface QueryParts {
  submit(connection: Connection): unknown
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
}

const BaseQuery = Query as unknown as new (config: QueryConfig) => QueryParts

/** The statements that `pg` has prepared on a connection, and those whose preparation is not confirmed yet. */
interface Prepared {
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}

/** A statement outside a transaction, behind one that limits it; the response to that one is left out. */
class LimitedQuery extends BaseQuery {
  readonly #prefix: string | null
  readonly #name: string | undefined
  #isLimited = false

  constructor(config: QueryConfig & { values: unknown[] }, statementMs: number) {
    const { text, name, values } = config
    const isSimple = name === undefined && values.length === 0
    // Two statements in one message are one transaction. A statement with values is alone in its message; but messages are
    // one transaction too, until `sync`. There `set local` would warn.
    const limited = isSimple ? `set local statement_timeout = ${statementMs}; ${text}` : text
    super({ ...config, text: limited })
    this.#name = name
    this.#prefix = isSimple
      ? null
      : `select set_config('statement_timeout', '${statementMs}', true)`
  }

  override submit(connection: Connection): unknown {
    if (this.#prefix === null) return super.submit(connection)
    connection.stream.cork()
    try {
      if (this.#name !== undefined) keepPreparation(connection, this.#name)
      connection.parse({ name: '', text: this.#prefix, types: [] }, true)
      connection.bind({}, true)
      connection.execute({}, true)
      return super.submit(connection)
    } finally {
      connection.stream.uncork()
    }
  }

  override handleDataRow(message: unknown): void {
    if (this.#isLimited) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#isLimited) super.handleCommandComplete(message, connection)
    this.#isLimited = true
  }
}

/** `pg` takes the first confirmation for that of the named statement; it is that of the limit. */
function keepPreparation(connection: Connection, name: string): void {
  const { parsedStatements: parsed, submittedNamedStatements: submitted } =
    connection as Connection & Prepared
  if (name in parsed) return
  connection.once('parseComplete', () => {
    const text = parsed[name]
    if (text === undefined) return
    delete parsed[name]
    submitted[name] = text
  })
}
