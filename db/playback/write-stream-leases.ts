import { sql } from 'kysely'
import { STREAM_LEASE_MS } from '../../domain/playback/concurrent-plays.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { STARTED_AT } from './playback-sessions.ts'
import { IS_LIMITED, NOW_MS, type LeaseHolder } from './stream-leases.ts'

/** The leases in column `leases` that still count, with their places. */
const live = (leases: string): string => `(
  select e.lease, e.place from jsonb_array_elements(${leases}) with ordinality as e (lease, place)
  where (e.lease->>'renewed')::float8 > ${NOW_MS} - ${STREAM_LEASE_MS})`

/** Behind every place: of a session that has no lease yet. */
const NEW_PLACE = 1000

/**
 * The leases of row `l` after a session, whose id is the expression `sessionId`, has asked. Its own lease, renewed, is
 * `excluded.leases`, or nothing if it leaves. Newest: the pages that were loaded last stay. Oldest: those who have a
 * lease stay.
 */
export const rankedLeases = (sessionId: string): string => `(
  select coalesce(jsonb_agg(kept.lease order by kept.place), '[]')
  from (
    select c.lease, c.place
    from (
      select other.lease, other.place from ${live('l.leases')} as other
        where other.lease->>'session' <> ${sessionId}
      union all
      select own.lease, coalesce(
        (select held.place from ${live('l.leases')} as held
          where held.lease->>'session' = ${sessionId}), ${NEW_PLACE})
      from jsonb_array_elements(excluded.leases) as own (lease)) as c
    order by
      case when (select a.newest_play_wins from account a where a.id = l.account_id)
        then -(c.lease->>'started')::float8 else c.place end,
      c.lease->>'session'
    limit (select a.plays_limit from account a where a.id = l.account_id)) as kept)`

/**
 * The query `lease` of a `with` clause, for the session in $1 to $9 (`sessionValues`). It takes or renews the
 * lease of the session, and has one row that says in `admitted` whether the session has a lease now. It does nothing if
 * the viewer is not limited, or if the session may not continue.
 */
export const leaseQuery = (mayContinue: string): string => `
  lease as (
    insert into stream_lease as l (account_id, viewer_id, leases)
    select $3::int, $4::text, jsonb_build_array(
      jsonb_build_object('session', $1::uuid::text, 'started', $7::float8, 'renewed', ${NOW_MS}))
    from account a, video v
    where ${IS_LIMITED} and ${mayContinue}
      and not exists (select from playback_record e where e.id = $1 and e.started_at = ${STARTED_AT}
        and e.ended_at is not null)
    on conflict (account_id, viewer_id) do update set renewed_at = now(), leases = ${rankedLeases('$1::uuid::text')}
    returning l.leases @> jsonb_build_array(jsonb_build_object('session', $1::uuid::text)) as admitted)`

/**
 * Gives up the lease of a session, so that another play may begin at once. In a transaction, call it before the
 * session's own row is changed: heartbeats lock in this order.
 */
export async function giveUpLease(
  em: EntityManager,
  { accountId, viewerId, sessionId }: LeaseHolder,
): Promise<void> {
  if (viewerId === null) return
  await queries(em)
    .updateTable('stream_lease')
    .set({
      leases: sql`(
      select coalesce(jsonb_agg(e.lease order by e.place), '[]')
      from jsonb_array_elements(stream_lease.leases) with ordinality as e (lease, place)
      where e.lease->>'session' <> ${sessionId}::text)`,
    })
    .where('accountId', '=', accountId)
    .where('viewerId', '=', viewerId)
    .execute()
}

/** Deletes the rows of viewers who have no lease any more. */
export async function deleteExpiredLeases(em: EntityManager): Promise<void> {
  await queries(em)
    .deleteFrom('stream_lease')
    .where('renewedAt', '<', sql<Date>`now() - 2 * ${STREAM_LEASE_MS}::int * interval '1 ms'`)
    .execute()
}
