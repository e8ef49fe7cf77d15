import { sql } from 'kysely'
import { FAILED_KEPT_DAYS } from '../../domain/limits.ts'
import type { EntityManager } from '../database.ts'
import type { PreviousSecret } from '../entities/event.ts'
import { deleteExpiredLeases } from '../playback/write-stream-leases.ts'
import { countAffected, daysAgo, queries } from '../queries.ts'
import { hasTable, OLD_EVENTS } from './retention.ts'

/** Deletes deliveries with their attempts; ignores those that no longer exist. */
export const deleteDeliveries = (em: EntityManager, ids: number[]): Promise<void> =>
  em.transactional(async (tx) => {
    const list = `{${ids.join(',')}}`
    // Locked in order, so that two deletions of the same deliveries cannot deadlock.
    await tx.execute(
      `delete from webhook_delivery where id = any(array(
         select id from webhook_delivery where id = any(?::bigint[]) order by id for update))`,
      [list],
    )
    // Afterwards, so that it sees the attempts of a transaction that the deletion has waited for.
    await tx.execute('delete from webhook_attempt where delivery_id = any(?::bigint[])', [list])
  })

/**
 * Deletes up to `limit` events of the first partition that are older than any delivery is kept and have no delivery; returns how
 * many. The other partitions are dropped as a whole.
 */
export async function deleteExpiredEvents(em: EntityManager, limit: number): Promise<number> {
  if (!(await hasTable(em, OLD_EVENTS))) return 0
  return countAffected(
    em,
    sql`delete from ${sql.table(OLD_EVENTS)} where id in (
      select v.id from ${sql.table(OLD_EVENTS)} v where v.created_at < ${daysAgo(FAILED_KEPT_DAYS)}
        and not exists (select from webhook_delivery d where d.event_id = v.id)
      order by v.created_at limit ${limit})`,
  )
}

/** Deletes leases of viewers who have stopped playing, and rotated secrets that no longer sign. */
export async function deleteExpiredFacts(em: EntityManager): Promise<void> {
  await deleteExpiredLeases(em)
  const signing = sql<PreviousSecret[]>`(
    select coalesce(jsonb_agg(s), '[]') from jsonb_array_elements(previous_secrets) s
    where (s->>'valid_until')::timestamptz > now())`
  await queries(em)
    .updateTable('webhook_endpoint')
    .set({ previousSecrets: signing })
    .where(
      sql<boolean>`exists (select 1 from jsonb_array_elements(previous_secrets) s
        where (s->>'valid_until')::timestamptz <= now())`,
    )
    .execute()
}
