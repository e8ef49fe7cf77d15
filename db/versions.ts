import { sql } from 'kysely'
import type { EntityManager } from './database.ts'
import { queries } from './queries.ts'

/** Locks a row of the account until the end of the transaction and returns its version; null if there is none. */
export async function lockVersion(
  em: EntityManager,
  table: 'video' | 'folder' | 'webhook_endpoint',
  accountId: number,
  id: string | number,
): Promise<number | null> {
  const isPresent = table === 'folder' ? sql`true` : sql`deleted_at is null`
  const { rows } = await sql<{ version: number }>`select version from ${sql.table(table)}
    where id = ${id} and account_id = ${accountId} and ${isPresent} for no key update`.execute(
    queries(em),
  )
  return rows[0]?.version ?? null
}
