import { BACKLOG_VIDEOS } from '../../domain/ingest/ingest-priority.ts'
import { requestOf, type EntityManager } from '../database.ts'
import type { WorkflowRequestKind } from '../entities/event.ts'
import { ringAfterCommit } from './relay-alarm.ts'

/** A row of the table `outbox`: a workflow that the relay starts, signals or cancels. */
export interface WorkflowRequest {
  command: WorkflowRequestKind
  subjectId: string
  accountId: number
  /** The HTTP request that caused it; that of the EntityManager by default. */
  requestId?: string | null
}

/**
 * Writes requests for the relay in the caller's transaction: they exist only if the work that they
 * announce is committed, and the relays are notified after that. Raw SQL because it is part of
 * every event: Kysely costs about 40 µs more processor time for each statement (measured).
 */
export async function requestWorkflows(
  em: EntityManager,
  requests: WorkflowRequest[],
): Promise<void> {
  if (requests.length === 0) return
  const values = requests.map(() => '(?, ?, ?, ?)').join(', ')
  const parameters = requests.flatMap(({ command, subjectId, accountId, requestId }) => [
    command,
    subjectId,
    accountId,
    requestId ?? requestOf(em),
  ])
  await em.execute(
    `insert into outbox (command, subject_id, account_id, request_id) values ${values}`,
    parameters,
  )
  ringAfterCommit(em)
}

/** A request that this relay holds until its lease is over. */
export interface ClaimedRequest {
  id: number
  command: WorkflowRequestKind
  subjectId: string
  accountId: number
  /** The HTTP request that caused it; null if none did. */
  requestId: string | null
  /** How many times it was claimed, this time included. */
  attempts: number
  /** Set for a pending delivery; null for other requests. */
  eventType: string | null
  endpointUrl: string | null
  /** How many attempts a pending delivery has, if a retry of it is requested whose attempt is not recorded; else null. */
  recordedCount: number | null
  /** True for the ingest of a video whose account has many others that are not ready. */
  isBacklog: boolean
  /** False if the delivery or its endpoint is deleted, or it has ended. True if its id cannot be read, which is a fault of the request. */
  isWanted: boolean
}

/** So many requests of an account and lane can be in a batch, however many share it. */
const SHARE_ROWS_MIN = 4

/**
 * Requests of the lanes 4 and 5 (cancel, delete) begin with this turn, so a hundred thousand deletions delay no video. Each second
 * that they wait moves them forward, so a flood of videos does not delay them for ever.
 */
const LATE_LANES_TURN = 8
const TURNS_PER_SECOND = 0.2

/**
 * Claims up to `limit` due requests. Each account and lane gets the same number of them, and the accounts take turns: no request waits
 * for the thousands of another account, nor a video for the deletions of its own account. Claims by moving their due time to the end of a lease. The row locks end
 * with this statement: no transaction is open while Temporal is called, and the rows of a relay that is
 * killed in between become due again. Relays skip each other's locked rows. Raw SQL because the relay
 * runs it for each batch of webhooks (measured with the webhook benchmark).
 */
export const claimDueRequests = (
  em: EntityManager,
  limit: number,
  leaseMs: number,
): Promise<ClaimedRequest[]> =>
  em.execute<ClaimedRequest[]>(
    `with recursive share as (
       (select account_id, lane from outbox order by account_id, lane limit 1)
       union all
       select n.account_id, n.lane from share s cross join lateral (
         select o.account_id, o.lane from outbox o where (o.account_id, o.lane) > (s.account_id, s.lane)
         order by o.account_id, o.lane limit 1) n
     ), due as (
       select d.*, row_number() over (partition by d.account_id, d.lane order by d.due_at, d.id)
         + case when d.lane > 3 then ${LATE_LANES_TURN}
             - extract(epoch from now() - d.due_at) * ${TURNS_PER_SECOND} else 0 end as turn
       from share s cross join lateral (
         select o.id, o.account_id, o.lane, o.due_at from outbox o
         where o.account_id = s.account_id and o.lane = s.lane and o.due_at <= now()
         order by o.due_at, o.id
         limit greatest(${SHARE_ROWS_MIN}, ?::int / (select count(*) from share))
         for update skip locked) d
     ), claimed as (
       update outbox o set due_at = now() + ?::int * interval '1 millisecond', attempts = attempts + 1
       from (select id, turn from due order by turn, id limit ?) d
       where o.id = d.id
       returning o.*, d.turn
     )
     select c.id, c.command, c.subject_id as "subjectId", c.account_id as "accountId",
       c.request_id as "requestId", c.attempts, d.event_type as "eventType", e.url as "endpointUrl",
       case when d.retry_requested_at is not null then d.attempt_count end as "recordedCount",
       (c.command = 'ingest-video' and (select count(*) from (select from video v
         where v.account_id = c.account_id and v.deleted_at is null
           and v.status in ('queued', 'processing', 'playable') limit ${BACKLOG_VIDEOS + 1}) v)
         > ${BACKLOG_VIDEOS}) as "isBacklog",
       (c.delivery_id is null or (d.id is not null and e.deleted_at is null)) as "isWanted"
     from (select *, case when command in ('deliver-webhook', 'retry-delivery')
         and subject_id ~ '^[0-9]{1,18}$' then subject_id::bigint end as delivery_id from claimed) c
       left join webhook_delivery d on d.status = 'pending' and d.id = c.delivery_id
       left join webhook_endpoint e on e.id = d.endpoint_id
     order by c.turn, c.id`,
    [limit, leaseMs, limit],
  )

/** Deletes requests that Temporal has. */
export async function deleteRequests(em: EntityManager, ids: number[]): Promise<void> {
  await em.execute('delete from outbox where id = any(?::bigint[])', [`{${ids.join(',')}}`])
}

/** Makes claimed requests due now, as if they had not been claimed, and wakes the other relays. */
export async function releaseRequests(em: EntityManager, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await em.execute(
    `update outbox set due_at = now(), attempts = greatest(0, attempts - 1)
     where id = any(?::bigint[])`,
    [`{${ids.join(',')}}`],
  )
  ringAfterCommit(em)
}

/** Makes a claimed request due again in `delayMs`. */
export async function postponeRequest(
  em: EntityManager,
  id: number,
  delayMs: number,
): Promise<void> {
  await em.execute(
    `update outbox set due_at = now() + ?::int * interval '1 millisecond' where id = ?`,
    [delayMs, id],
  )
}
