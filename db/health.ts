import { sql } from 'kysely'
import type { Database, EntityManager } from './database.ts'
import { exactlyOne, queries } from './queries.ts'

/** Rejects if the database does not answer. */
export async function pingDatabase(db: Database): Promise<void> {
  await sql`select 1`.execute(queries(db.em.fork()))
}

/** The version of the PostgreSQL server, and whether the first migration has run. */
export async function readServerState(
  em: EntityManager,
): Promise<{ version: string; isMigrated: boolean }> {
  const { rows } = await sql<{ version: string; isMigrated: boolean }>`
    select current_setting('server_version') as version,
      to_regclass('account') is not null as is_migrated`.execute(queries(em))
  return exactlyOne(rows)
}

/** The clock of the database, in ms since 1970. */
export async function readDatabaseClock(em: EntityManager): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(queries(em))
  return exactlyOne(rows).ms
}
