import { sql } from 'kysely'
import { REPLAY_COUNTED_EVENTS_MAX, REPLAY_PREVIEW_PAIRS_MAX } from '../../domain/limits.ts'
import type { EntityManager } from '../database.ts'
import { exactlyOne, queries } from '../queries.ts'
import { IS_CUT_OFF } from './webhook-deliveries.ts'
import type { NewReplay } from './webhook-replays.ts'

/**
 * Which deliveries a `replay` makes of a `page` of events. Whether an active endpoint gets an event depends on
 * its deliveries so far. `failed`: attempted and never delivered. `delivered`: delivered. `missing`: the endpoint
 * subscribes to it and has no delivery, because it was disabled or did not exist. Events with a pending
 * delivery that will be sent are skipped.
 */
const MATCHES = sql`
  from replay r
    join webhook_endpoint e on e.account_id = r.account_id and e.is_active
      and (r.endpoint_id is null or e.id = r.endpoint_id)
    cross join page v
    cross join lateral (
      select count(*) > 0 as any, coalesce(bool_or(d.status = 'delivered'), false) as delivered,
        coalesce(bool_or(d.status = 'pending' and not ${IS_CUT_OFF}), false) as pending
      from webhook_delivery d where d.event_id = v.id and d.endpoint_id = e.id
    ) had
  where v.type <> 'webhook.test' and not had.pending and case r.status
    when 'failed' then had.any and not had.delivered
    when 'delivered' then had.delivered
    else not had.any and v.type = any (e.events) end`

const INSERT_DELIVERIES = sql`
  insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, replay_id)
  select r.account_id, e.id, v.id, v.type, r.id ${MATCHES}
  order by v.created_at, v.id for key share of e
  returning id, account_id`

/** What a replay would read and send now. */
export interface ReplayCounts {
  /** The events in the range, counted up to a million. */
  eventCount: number
  /** The deliveries of the first of them. */
  deliveryCount: number
  /** False if more of them may get deliveries. */
  isComplete: boolean
}

/** How much `countReplay` reads. */
export interface ReplayCountLimits {
  countedEvents: number
  /** Pairs of an event and an endpoint: more endpoints, fewer events. */
  pairs: number
}

/** The limits under which a request can wait for the numbers. */
const COUNT_LIMITS = { countedEvents: REPLAY_COUNTED_EVENTS_MAX, pairs: REPLAY_PREVIEW_PAIRS_MAX }

/** Counts the events in the range of a replay, and the deliveries that it would make of the first of them. */
export async function countReplay(
  em: EntityManager,
  replay: NewReplay,
  { countedEvents, pairs }: ReplayCountLimits = COUNT_LIMITS,
): Promise<ReplayCounts> {
  const eventsMax = Math.floor(pairs / Math.max(1, await countEndpoints(em, replay)))
  const counts = await countMatches(em, replay, { countedEvents, eventsMax })
  return { ...counts, isComplete: counts.eventCount <= eventsMax }
}

/** The endpoints to which a replay sends now. */
async function countEndpoints(em: EntityManager, replay: NewReplay): Promise<number> {
  const { accountId, endpointId } = replay
  if (endpointId !== null) return 1
  const { count } = await queries(em)
    .selectFrom('webhook_endpoint')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('isActive', '=', true)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * In SQL, because it shares `MATCHES`. The range is read twice by its index, each time only as far as the limit: stored for
 * both reads, all of it would be read and sorted.
 */
async function countMatches(
  em: EntityManager,
  replay: NewReplay,
  { countedEvents, eventsMax }: { countedEvents: number; eventsMax: number },
): Promise<Omit<ReplayCounts, 'isComplete'>> {
  const { accountId, endpointId, since, until, status } = replay
  const { rows } = await sql<Omit<ReplayCounts, 'isComplete'>>`
    with replay as (
      select ${accountId}::int as account_id, ${endpointId}::bigint as endpoint_id,
        ${status}::text as status
    ), range as not materialized (
      select id, type, created_at from event
      where account_id = ${accountId} and created_at >= ${since} and created_at < ${until}
    ), page as (select id, type from range order by created_at, id limit ${eventsMax})
    select (select count(*) from (select from range limit ${countedEvents}) c) as "eventCount",
      (select count(*) ${MATCHES}) as "deliveryCount"
  `.execute(queries(em))
  return exactlyOne(rows)
}

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
      select v.id, v.type, v.created_at from event v, replay r
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
