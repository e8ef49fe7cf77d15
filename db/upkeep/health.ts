import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { ReadOnlyError } from '../errors.ts'
import { exactlyOne, queries } from '../queries.ts'
import { lastRefusal } from '../watch-pool.ts'

/** Named, as the statements of most requests are, so that it fails behind a pooler that fails them. */
const readWritability = {
  name: 'writability',
  text: `select current_setting('transaction_read_only')::boolean or pg_is_in_recovery() as "isReadOnly"`,
}

/**
 * Rejects if the database does not respond or takes no writes, or if it has refused a statement in the last minute for a
 * reason that only a changed setting ends. A read-only connection is not kept.
 */
export async function pingDatabase(em: EntityManager): Promise<void> {
  const pool = await em.getConnection().getNativeClient()
  const refusal = lastRefusal(pool)
  if (refusal !== null) throw refusal
  const client = await pool.connect()
  let isUsable = false
  try {
    const { rows } = await client.query<{ isReadOnly: boolean }>(readWritability)
    isUsable = !exactlyOne(rows).isReadOnly
  } finally {
    client.release(!isUsable)
  }
  if (!isUsable) throw new ReadOnlyError()
}

interface ServerState {
  version: string
  /** Whether the first migration has run. */
  isMigrated: boolean
  /** Whether PostgreSQL ends a statement of this connection that takes too long. */
  limitsStatements: boolean
}

/** The version of the PostgreSQL server and what it knows. */
export async function readServerState(em: EntityManager): Promise<ServerState> {
  const { rows } = await sql<ServerState>`
    select current_setting('server_version') as version,
      to_regclass('account') is not null as is_migrated,
      current_setting('statement_timeout') <> '0' as limits_statements`.execute(queries(em))
  return exactlyOne(rows)
}

/** The clock of the database, in ms since 1970. */
export async function readDatabaseClock(em: EntityManager): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(queries(em))
  return exactlyOne(rows).ms
}
