import { DELIVERED_KEPT_DAYS, FAILED_KEPT_DAYS } from '../../domain/limits.ts'
import type { EntityManager } from '../database.ts'
import type { DeliveryStatus } from '../entities/event.ts'
import { daysAgo, queries } from '../queries.ts'

/** Up to `limit` ended deliveries whose retention is over (contract, "Limits"), oldest first. */
export async function findExpiredDeliveries(em: EntityManager, limit: number): Promise<number[]> {
  const expired = (status: DeliveryStatus, keptDays: number) =>
    queries(em)
      .selectFrom('webhook_delivery')
      .select('id')
      .where('status', '=', status)
      .where('completedAt', '<', daysAgo(keptDays))
      .orderBy('completedAt')
      .limit(limit)
      .execute()
  const rows = await expired('delivered', DELIVERED_KEPT_DAYS)
  if (rows.length < limit) rows.push(...(await expired('failed', FAILED_KEPT_DAYS)))
  return rows.slice(0, limit).map(({ id }) => id)
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
