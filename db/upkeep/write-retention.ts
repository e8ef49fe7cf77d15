import { sql } from 'kysely'
import { FAILED_KEPT_DAYS } from '../../domain/limits.ts'
import type { EntityManager } from '../database.ts'
import type { PreviousSecret } from '../entities/event.ts'
import { deleteExpiredLeases } from '../playback/write-stream-leases.ts'
import { daysAgo, queries } from '../queries.ts'

/** Deletes deliveries with their attempts; ignores those that no longer exist. */
export async function deleteDeliveries(em: EntityManager, ids: number[]): Promise<void> {
  // Locked in order, so that two deletions of the same deliveries cannot deadlock.
  await em.execute(
    `delete from webhook_delivery where id in (
       select id from webhook_delivery where id = any(?::bigint[]) order by id for update)`,
    [`{${ids.join(',')}}`],
  )
}

/**
 * Deletes up to `limit` events that are older than any delivery is kept and have no delivery; returns how
 * many.
 */
export async function deleteExpiredEvents(em: EntityManager, limit: number): Promise<number> {
  const deleted = await queries(em)
    .deleteFrom('event')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('event as v')
        .select('v.id')
        .where('v.createdAt', '<', daysAgo(FAILED_KEPT_DAYS))
        .where(sql<boolean>`not exists (select 1 from webhook_delivery d where d.event_id = v.id)`)
        .orderBy('v.createdAt')
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(deleted.numDeletedRows)
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
