import { sql } from 'kysely'
import { REPLAY_COUNTED_EVENTS_MAX, REPLAY_PREVIEW_PAIRS_MAX } from '../../domain/limits.ts'
import type { EntityManager } from '../database.ts'
import { exactlyOne, queries } from '../queries.ts'
import { IS_CUT_OFF, IS_KEPT } from './webhook-deliveries.ts'
import type { NewReplay } from './write-webhook-replays.ts'

/**
 * True for each delivery `d` of the event `v`: none ended before it, but for the clock of its process. Spares PostgreSQL the
 * look-ups in other weeks: without it, to count 50,000 pairs takes at least twice as long (measured).
 */
const IS_AFTER_EVENT = sql`(d.completed_at is null or d.completed_at between
  v.created_at - interval '1 hour' and now() + interval '1 day')`

/**
 * Which deliveries a `replay` makes of a `page` of events. Whether an active endpoint gets an event depends on
 * its deliveries so far. `failed`: attempted and never delivered. `delivered`: delivered. `missing`: the endpoint
 * subscribes to it and has no delivery, because it was disabled or did not exist. Events with a pending
 * delivery that will be sent are skipped.
 */
export const MATCHES = sql`
  from replay r
    join webhook_endpoint e on e.account_id = r.account_id and e.is_active
      and (r.endpoint_id is null or e.id = r.endpoint_id)
    cross join page v
    cross join lateral (
      select count(*) > 0 as any, coalesce(bool_or(d.status = 'delivered'), false) as delivered,
        coalesce(bool_or(d.status = 'pending' and not ${IS_CUT_OFF}), false) as pending
      from webhook_delivery d
      where d.event_id = v.id and d.endpoint_id = e.id and ${IS_KEPT} and ${IS_AFTER_EVENT}
    ) had
  where v.type <> 'webhook.test' and not had.pending and case r.status
    when 'failed' then had.any and not had.delivered
    when 'delivered' then had.delivered
    else not had.any and v.type = any (e.events) end`

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
    ), page as (select id, type, created_at from range order by created_at, id limit ${eventsMax})
    select (select count(*) from (select from range limit ${countedEvents}) c) as "eventCount",
      (select count(*) ${MATCHES}) as "deliveryCount"
  `.execute(queries(em))
  return exactlyOne(rows)
}
