import { DELIVERED_KEPT_DAYS, FAILED_KEPT_DAYS } from '../domain/limits.ts'
import type { EntityManager } from './database.ts'

/** Ended deliveries that were kept for long enough (spec, "Limits"), the oldest first. */
export async function findExpiredDeliveries(em: EntityManager, limit: number): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `(select id from webhook_delivery where status = 'delivered'
       and completed_at < now() - ?::int * interval '1 day' order by completed_at limit ?)
     union all
     (select id from webhook_delivery where status = 'failed'
       and completed_at < now() - ?::int * interval '1 day' order by completed_at limit ?)
     limit ?`,
    [DELIVERED_KEPT_DAYS, limit, FAILED_KEPT_DAYS, limit, limit],
  )
  return rows.map(({ id }) => id)
}

/** Deletes deliveries with their attempts; those that are gone already are no error. */
export async function deleteDeliveries(em: EntityManager, ids: number[]): Promise<void> {
  await em.execute('delete from webhook_delivery where id = any(?::int[])', [`{${ids.join(',')}}`])
}

/** Deletes up to `limit` events that are older than any delivery is kept and have none; returns how many. */
export async function deleteExpiredEvents(em: EntityManager, limit: number): Promise<number> {
  const rows = await em.execute<unknown[]>(
    `delete from event where id in (
       select v.id from event v where v.created_at < now() - ?::int * interval '1 day'
         and not exists (select 1 from webhook_delivery d where d.event_id = v.id)
       order by v.created_at limit ?) returning 1`,
    [FAILED_KEPT_DAYS, limit],
  )
  return rows.length
}

/** Deletes replays that ended long ago, and the secrets that no longer sign. */
export async function deleteExpiredFacts(em: EntityManager): Promise<void> {
  await em.execute(
    `delete from webhook_replay where completed_at < now() - ?::int * interval '1 day'`,
    [FAILED_KEPT_DAYS],
  )
  await em.execute(
    `update webhook_endpoint e set previous_secrets = (
       select coalesce(jsonb_agg(s), '[]') from jsonb_array_elements(e.previous_secrets) s
       where (s->>'valid_until')::timestamptz > now())
     where exists (select 1 from jsonb_array_elements(e.previous_secrets) s
       where (s->>'valid_until')::timestamptz <= now())`,
  )
}
