import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { exactlyOne, queries } from '../queries.ts'
import { MATCHES } from './replayed-events.ts'

const INSERT_DELIVERIES = sql`
  insert into webhook_delivery (account_id, endpoint_id, event_id, event_number, event_type, replay_id)
  select r.account_id, e.id, v.id, v.number, v.type, r.id ${MATCHES}
  order by v.created_at, v.id for key share of e
  returning id, account_id`

/**
 * Writes the deliveries of the next `limit` events of a settled replay with their workflow requests, and the position
 * reached. No event can appear before that position, because the transactions of all of them have ended. One statement in SQL: its steps share the page of events, and a builder would not make them easier
 * to read.
 */
export async function replayEvents(
  em: EntityManager,
  replayId: number,
  limit: number,
): Promise<{ scanned: number; started: number }> {
  const { rows } = await sql<{ scanned: number; started: number }>`
    with replay as (select * from webhook_replay where id = ${replayId}),
    page as (
      select v.id, v.number, v.type, v.created_at from event v, replay r
      where v.account_id = r.account_id and v.created_at >= r.since and v.created_at < r.until
        and v.transaction_id < r.end_transaction_id
        and (r.last_event_id is null or (v.created_at, v.id) > (r.last_created_at, r.last_event_id))
      order by v.created_at, v.id limit ${limit}
    ), delivery as (${INSERT_DELIVERIES}), request as (
      insert into outbox (command, subject_id, account_id)
      select 'deliver-webhook', id::text, account_id from delivery returning 1
    ), reached as (
      update webhook_replay set scanned_count = scanned_count + (select count(*) from page),
        last_created_at = last.created_at, last_event_id = last.id
      from (select created_at, id from page order by created_at desc, id desc limit 1) last
      where webhook_replay.id = (select id from replay)
    )
    select (select count(*) from page) as scanned, (select count(*) from request) as started
  `.execute(queries(em))
  return exactlyOne(rows)
}
