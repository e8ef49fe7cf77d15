import { sql } from 'kysely'
import { BACKUP_ACTION } from '../../domain/accounts/audit.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/**
 * Reads when the newest backup was completed, as the audit log has it; without one, when the first account was made.
 * Seconds since 1970; null without accounts.
 */
export async function readLastBackup(em: EntityManager): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from coalesce(
      (select created_at from audit_entry where account_id is null and action = ${BACKUP_ACTION}
        order by id desc limit 1),
      (select created_at from account order by id limit 1)))::float8 as seconds`.execute(
    queries(em),
  )
  return rows[0]?.seconds ?? null
}
