import { sql } from 'kysely'
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

const TODAY = sql<string>`(now() at time zone 'UTC')::date`

/** Adds the length of a video to its account's usage of today; in the transaction that makes it ready. */
export async function addEncodedTime(
  em: EntityManager,
  accountId: number,
  encodedMs: number,
): Promise<void> {
  await queries(em)
    .insertInto('usage_day')
    .values({ accountId, day: TODAY, encodedMs })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'day'])
        .doUpdateSet((eb) => ({ encodedMs: eb('usage_day.encodedMs', '+', encodedMs) })),
    )
    .execute()
}

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

/** Adds the bytes served of each video to its account's usage of today; unknown videos are left out. */
export async function addBandwidth(
  em: EntityManager,
  servedBytes: ReadonlyMap<string, number>,
): Promise<void> {
  if (servedBytes.size === 0) return
  const served = [...servedBytes].map(([video, bytes]) => ({ video, bytes }))
  // One statement for all videos; the order of the rows keeps two processes from a deadlock.
  await em.execute(
    `insert into usage_day as u (account_id, day, bandwidth_bytes)
     select v.account_id, (now() at time zone 'UTC')::date, sum(s.bytes)
     from jsonb_to_recordset(?::jsonb) as s (video text, bytes bigint)
       join video v on v.id = s.video
     group by v.account_id order by v.account_id
     on conflict (account_id, day)
       do update set bandwidth_bytes = u.bandwidth_bytes + excluded.bandwidth_bytes`,
    [JSON.stringify(served)],
  )
}
