import { BACKLOG_VIDEOS } from '../../domain/ingest/ingest-priority.ts'
import { requestOf, type EntityManager } from '../database.ts'
import type { WorkflowRequestKind } from '../entities/event.ts'
import { OUTBOX_CHANNEL } from './workflow-requests.ts'

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
 * announce is committed, and PostgreSQL wakes the relay at that commit. Raw SQL because it is part of
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
  await notifyRelay(em)
}

/** Wakes the relay when the caller's transaction commits; for requests that another statement wrote. */
export const notifyRelay = (em: EntityManager): Promise<unknown> =>
  em.execute(`select pg_notify('${OUTBOX_CHANNEL}', '')`)

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
  /** True for the ingest of a video whose account has many others that are not ready. */
  isBacklog: boolean
  /** False if the delivery or its endpoint is deleted, or it has ended. True if its id cannot be read, which is a fault of the request. */
  isWanted: boolean
}

/** So many requests of an account can be in a batch, however many accounts share it. */
const ACCOUNT_ROWS_MIN = 4

/**
 * Claims up to `limit` due requests, of which each account gets the same number, and returns them with the accounts taking
 * turns: the requests of one account do not wait for the thousands of another. Claims by moving their due time to the end of a lease. The row locks end
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
    `with recursive account as (
       (select account_id from outbox order by account_id limit 1)
       union all
       select (select o.account_id from outbox o where o.account_id > a.account_id
         order by o.account_id limit 1)
       from account a where a.account_id is not null
     ), due as (
       select d.*, row_number() over (partition by d.account_id order by d.due_at, d.id) as turn
       from account a cross join lateral (
         select o.id, o.account_id, o.due_at from outbox o
         where o.account_id = a.account_id and o.due_at <= now() order by o.due_at, o.id
         limit greatest(${ACCOUNT_ROWS_MIN}, ?::int / (select count(account_id) from account))
         for update skip locked) d
     ), claimed as (
       update outbox o set due_at = now() + ?::int * interval '1 millisecond', attempts = attempts + 1
       from (select id, turn from due order by turn, id limit ?) d
       where o.id = d.id
       returning o.*, d.turn
     )
     select c.id, c.command, c.subject_id as "subjectId", c.account_id as "accountId",
       c.request_id as "requestId", c.attempts, d.event_type as "eventType", e.url as "endpointUrl",
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
  await notifyRelay(em)
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
