import type { EntityManager } from '../database.ts'
import { exactlyOne, queries } from '../queries.ts'

/** What an account used on one day (UTC). */
export interface DayUsage {
  /** Such as `2026-11-21`. */
  day: string
  bandwidthBytes: number
  encodedMs: number
}

/** The days from `start` to `end`, both included, on which something was used; in order. */
export const listDayUsage = (
  em: EntityManager,
  accountId: number,
  start: string,
  end: string,
): Promise<DayUsage[]> =>
  queries(em)
    .selectFrom('usage_day')
    .select(['day', 'bandwidthBytes', 'encodedMs'])
    .where('accountId', '=', accountId)
    .where('day', '>=', start)
    .where('day', '<=', end)
    .orderBy('day')
    .execute()

/** The id of the transaction of `tx`, with which `hasCommitted` asks about it. */
export async function transactionIdOf(tx: EntityManager): Promise<string> {
  const rows = await tx.execute<{ id: string }[]>('select pg_current_xact_id()::text as id')
  return exactlyOne(rows).id
}

/**
 * Whether a transaction was committed, for a caller whose commit got no response; null while it runs. One that
 * PostgreSQL has forgotten or does not know counts as committed.
 */
export async function hasCommitted(em: EntityManager, id: string): Promise<boolean | null> {
  const rows = await em.execute<{ status: string | null }[]>(
    `select case when ?::xid8 < pg_snapshot_xmax(pg_current_snapshot())
       then pg_xact_status(?::xid8) end as status`,
    [id, id],
  )
  const { status } = exactlyOne(rows)
  return status === 'in progress' ? null : status !== 'aborted'
}
