import { sql } from 'kysely'
import { REPLAY_COUNTED_EVENTS_MAX } from '../domain/limits.ts'
import type { ReplayStatus } from '../domain/webhook-delivery.ts'
import type { EntityManager } from './database.ts'
import type { DeliveryStatus } from './entities/event.ts'
import { WebhookReplay } from './entities/webhook-replay.ts'
import { exactlyOne, queries } from './queries.ts'
import { cursorOf, findPage, sqlDirection } from './page.ts'
import type { Page, PageRequest } from './page.ts'
import { IS_CUT_OFF, isOfPresentEndpoint } from './webhook-deliveries.ts'

export interface NewReplay {
  accountId: number
  /** Null for every endpoint of the account. */
  endpointId: number | null
  /** Start of the range, inclusive; `until` is exclusive. */
  since: Date
  until: Date
  status: ReplayStatus
}

/** A replay and the number of its deliveries by status. */
export interface ReplayDetails {
  replay: WebhookReplay
  deliveries: Record<DeliveryStatus, number>
}

/** Inserts a replay with the number of events in its range, counted up to a million. Fails (`unique`) if a replay of the account is running. */
export async function insertReplay(em: EntityManager, replay: NewReplay): Promise<ReplayDetails> {
  const { accountId, since, until } = replay
  const { eventCount } = await queries(em)
    .selectFrom((eb) =>
      eb
        .selectFrom('event')
        .select('id')
        .where('accountId', '=', accountId)
        .where('createdAt', '>=', since)
        .where('createdAt', '<', until)
        .limit(REPLAY_COUNTED_EVENTS_MAX)
        .as('counted'),
    )
    .select(({ fn }) => fn.countAll<number>().as('eventCount'))
    .executeTakeFirstOrThrow()
  const inserted = await queries(em)
    .insertInto('webhook_replay')
    .values({ ...replay, eventCount })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { replay: inserted, deliveries: { pending: 0, delivered: 0, failed: 0 } }
}

/** The account's replay; null if there is none, or its endpoint is deleted. */
export async function findReplay(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<ReplayDetails | null> {
  const replay = await presentReplays(em, accountId).where('id', '=', id).executeTakeFirst()
  return replay ? exactlyOne(await withDeliveries(em, accountId, [replay])) : null
}

/** A page of the account's replays, newest first. Null if the cursor is not one of them. */
export async function listReplays(
  em: EntityManager,
  accountId: number,
  request: PageRequest<number>,
): Promise<Page<ReplayDetails> | null> {
  const cursor = cursorOf(request)
  if (cursor !== undefined && !(await findReplay(em, accountId, cursor))) return null
  const page = await findPage(request, ({ direction, limit }) => {
    const { beyond, order } = sqlDirection(direction)
    const replays = presentReplays(em, accountId).orderBy('id', order).limit(limit)
    const isBeyond = sql<boolean>`id ${beyond} ${cursor}`
    return (cursor === undefined ? replays : replays.where(isBeyond)).execute()
  })
  return { ...page, rows: await withDeliveries(em, accountId, page.rows) }
}

/** The replays of an account, without those of a deleted endpoint. */
const presentReplays = (em: EntityManager, accountId: number) =>
  queries(em)
    .selectFrom('webhook_replay')
    .selectAll()
    .where('accountId', '=', accountId)
    .where((eb) => eb.or([eb('endpointId', 'is', null), isOfPresentEndpoint(accountId)]))

/** Ends a running replay. Does nothing if it has ended already. */
export async function endReplay(
  em: EntityManager,
  id: number,
  state: 'completed' | 'cancelled',
): Promise<void> {
  await em.nativeUpdate(WebhookReplay, { id, state: 'running' }, { state, completedAt: new Date() })
}

/** The progress of a running replay. */
export interface RunningReplay {
  eventCount: number
  scannedCount: number
  /** Its deliveries without an attempt, counted up to the given limit. */
  waiting: number
}

/**
 * Locks a replay; null if it is not running. Its endpoint is locked first, in the order in which a deletion of
 * the endpoint locks both, because that deletion takes the replays with it.
 */
export async function lockRunningReplay(
  em: EntityManager,
  id: number,
  waitingLimit: number,
): Promise<RunningReplay | null> {
  await queries(em)
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('id', '=', (eb) =>
      eb.selectFrom('webhook_replay').select('endpointId').where('id', '=', id),
    )
    .forKeyShare()
    .execute()
  const replay = await queries(em)
    .selectFrom('webhook_replay as r')
    .select(['r.eventCount', 'r.scannedCount'])
    .select(
      sql<number>`(select count(*) from (select 1 from webhook_delivery d where d.replay_id = r.id
        and d.status = 'pending' and d.attempt_count = 0 limit ${waitingLimit}) w)`.as('waiting'),
    )
    .where('r.id', '=', id)
    .where('r.state', '=', 'running')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return replay ?? null
}

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
  /** Of the first `eventsMax` of them. */
  deliveryCount: number
}

/**
 * Counts the events in the range of a replay, and the deliveries that it would make of the first of them. In
 * SQL, because it shares `MATCHES`.
 */
export async function countReplay(
  em: EntityManager,
  replay: NewReplay,
  eventsMax: number,
): Promise<ReplayCounts> {
  const { accountId, endpointId, since, until, status } = replay
  const { rows } = await sql<ReplayCounts>`
    with replay as (
      select ${accountId}::int as account_id, ${endpointId}::bigint as endpoint_id,
        ${status}::text as status
    ), range as (
      select id, type, created_at from event
      where account_id = ${accountId} and created_at >= ${since} and created_at < ${until}
    ), page as (select id, type from range order by created_at, id limit ${eventsMax})
    select (select count(*) from (select from range limit ${REPLAY_COUNTED_EVENTS_MAX}) c) as "eventCount",
      (select count(*) ${MATCHES}) as "deliveryCount"
  `.execute(queries(em))
  return exactlyOne(rows)
}

/**
 * Writes the deliveries of the next `limit` events of a replay with their workflow requests, and the position
 * reached. One statement in SQL: its steps share the page of events, and a builder would not make them easier
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

async function withDeliveries(
  em: EntityManager,
  accountId: number,
  replays: WebhookReplay[],
): Promise<ReplayDetails[]> {
  if (replays.length === 0) return []
  const ids = replays.map(({ id }) => id)
  const rows = await queries(em)
    .selectFrom('webhook_delivery')
    .where(isOfPresentEndpoint(accountId))
    .select(({ fn }) => ['replayId', 'status', fn.countAll<number>().as('count')])
    .where('replayId', 'in', ids)
    .groupBy(['replayId', 'status'])
    .execute()
  return replays.map((replay) => {
    const deliveries = { pending: 0, delivered: 0, failed: 0 }
    for (const { replayId, status, count } of rows)
      if (replayId === replay.id) deliveries[status] = count
    return { replay, deliveries }
  })
}
