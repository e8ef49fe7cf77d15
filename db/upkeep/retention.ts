import { sql } from 'kysely'
import { DELIVERED_KEPT_DAYS, FAILED_KEPT_DAYS } from '../../domain/limits.ts'
import type { EntityManager } from '../database.ts'
import type { DeliveryStatus } from '../entities/event.ts'
import { daysAgo, exactlyOne, queries } from '../queries.ts'

/** The deliveries from before the partitions, of which no table is dropped as a whole. */
export const OLD_DELIVERIES = 'webhook_delivery_old'

/** The first partition of the events. */
export const OLD_EVENTS = 'event_old'

/**
 * Up to `limit` ended deliveries from before the partitions whose retention is over (contract, "Limits"), oldest first.
 */
export async function findExpiredDeliveries(em: EntityManager, limit: number): Promise<number[]> {
  if (!(await hasTable(em, OLD_DELIVERIES))) return []
  const expired = async (status: DeliveryStatus, keptDays: number) => {
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(OLD_DELIVERIES)}
      where status = ${status} and completed_at < ${daysAgo(keptDays)}
      order by completed_at limit ${limit}`.execute(queries(em))
    return rows.map(({ id }) => id)
  }
  const delivered = await expired('delivered', DELIVERED_KEPT_DAYS)
  if (delivered.length === limit) return delivered
  return [...delivered, ...(await expired('failed', FAILED_KEPT_DAYS))].slice(0, limit)
}

/** Whether the database has the table. */
export async function hasTable(em: EntityManager, name: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass(${name}) is not null as exists`.execute(queries(em))
  return exactlyOne(rows).exists
}

/** Those of the deliveries that have not ended. */
export async function findPendingOf(em: EntityManager, ids: number[]): Promise<number[]> {
  const rows = await queries(em)
    .selectFrom('webhook_delivery')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '=', 'pending')
    .execute()
  return rows.map(({ id }) => id)
}
