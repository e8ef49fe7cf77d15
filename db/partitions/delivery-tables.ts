import { DELIVERED_KEPT_DAYS, FAILED_KEPT_DAYS } from '../../domain/limits.ts'
import type { KeptTable } from './kept-table.ts'

const weeks = (table: string, timeColumn: string, keptDays: number): KeptTable => ({
  // Each look-up of a delivery that has ended reads all weeks.
  partitioned: { by: 'time', table, timeColumn, period: 'week', periodsAhead: 4 },
  keptDays: () => keptDays,
})

/** The deliveries that have ended, after their attempts, by the week of their end (ADR 0058). */
export const DELIVERY_TABLES: readonly KeptTable[] = [
  weeks('webhook_attempt_delivered', 'delivery_completed_at', DELIVERED_KEPT_DAYS),
  weeks('webhook_attempt_failed', 'delivery_completed_at', FAILED_KEPT_DAYS),
  weeks('webhook_delivery_delivered', 'completed_at', DELIVERED_KEPT_DAYS),
  weeks('webhook_delivery_failed', 'completed_at', FAILED_KEPT_DAYS),
]

/**
 * SQL that is true for a delivery that is kept: until 30 days after it was delivered, and 90 days after it failed (contract,
 * "Limits"). The row of another one stays until its partition is dropped.
 */
export const keptSql = (status: string, completedAt: string): string =>
  `(${completedAt} is null or ${completedAt} > now() - case ${status}
    when 'delivered' then interval '${DELIVERED_KEPT_DAYS} days' else interval '${FAILED_KEPT_DAYS} days' end)`
