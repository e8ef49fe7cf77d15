import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** The oldest open transaction of the server that has an id. */
export interface OldestTransaction {
  id: string
  /** Since when it is open; null if this role may not see it. */
  startedAt: Date | null
}

/** Reads the oldest open transaction of all databases of the server; null if none has written. */
export async function readOldestTransaction(em: EntityManager): Promise<OldestTransaction | null> {
  const { rows } = await sql<OldestTransaction>`
    select id::text as id, started_at from (
      select backend_xid as id, xact_start as started_at from pg_stat_get_activity(null)
        where backend_xid is not null and pid <> pg_backend_pid()
      union all select transaction, prepared from pg_prepared_xacts) t
    order by age(id) desc limit 1`.execute(queries(em))
  return rows[0] ?? null
}
