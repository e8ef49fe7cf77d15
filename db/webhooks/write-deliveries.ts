import { sql } from 'kysely'
import type { DeliveryErrorCode, RecordedResponse } from '../../domain/webhooks/webhook-delivery.ts'
import type { EntityManager } from '../database.ts'
import type { DeliveryStatus } from '../entities/event.ts'
import { queries } from '../queries.ts'
import { repeatCollisions } from '../repeating-entity-manager.ts'

/** One attempt, and the state of its delivery after it. */
export interface AttemptToRecord extends RecordedResponse {
  deliveryId: number
  endpointId: number
  number: number
  trigger: 'schedule' | 'manual'
  startedAt: Date
  durationMs: number
  status: DeliveryStatus
  /**
   * The wait before the next scheduled attempt, of a manual attempt the least one; null after the last one, and if its time does
   * not change.
   */
  waitMs: number | null
}

/** The state of the endpoint and the delivery after an attempt. */
export interface Standing {
  failureCount: number
  sinceLastSuccessMs: number
  /** The wait before the next scheduled attempt; 0 if it is due or there is none. */
  nextWaitMs: number
}

/**
 * Like all transactions, locks the endpoint before the delivery; `delivery` reads `counted` for that reason. A
 * failed manual attempt moves the scheduled one only if the receiver asks for a later time. A success updates a healthy endpoint at most once a
 * minute, so that deliveries to one busy endpoint do not queue for its row. The endpoint and the attempt are written only if the delivery has
 * not counted an attempt of this number: its row is in one partition, so that two records of an attempt meet there.
 */
const INPUT = `
  with input as (
    select ?::bigint as endpoint_id, ?::int as number, ?::text as trigger,
      ?::timestamptz as started_at, ?::int as duration_ms, ?::int as response_status,
      ?::text as error_code, ?::text as error_cause, ?::text as error_message,
      ?::text as response_body, ?::text as response_encoding, ?::text as remote_ip, ?::jsonb as timings,
      ?::jsonb as response_headers, ?::text as status,
      now() + ?::int * interval '1 millisecond' as next_retry_at
  ), counted as (
    select e.id from webhook_endpoint e join input i on i.endpoint_id = e.id
    where i.error_code is not null or e.failure_count > 0
      or e.last_success_at < now() - interval '1 minute'
    for no key update of e
  )`

/** Ends or postpones a delivery. Its status names the partition: PostgreSQL plans for no other. */
const PENDING = `, delivery as (
    update webhook_delivery d set
      attempt_count = i.number, status = i.status, retry_requested_at = null,
      next_retry_at = case when i.status = 'pending' and i.trigger = 'manual'
        then greatest(d.next_retry_at, i.next_retry_at) else i.next_retry_at end,
      error_code = case when i.status = 'delivered' then null else i.error_code end,
      completed_at = case when i.status <> 'pending' then now() end
    from input i
    where d.id = ?::bigint and d.status = 'pending' and d.attempt_count < i.number
      and (select count(*) from counted) >= 0
    returning d.id, d.status, d.completed_at, d.next_retry_at
  )`

/** Counts the attempt of a delivery that has ended meanwhile. Only a success changes how it ended. */
const ENDED = `, delivery as (
    update webhook_delivery d set
      attempt_count = i.number,
      status = case when i.status = 'delivered' then 'delivered' else d.status end,
      error_code = case when i.status = 'delivered' then null else d.error_code end,
      completed_at = case when i.status = 'delivered' and d.status = 'failed' then now()
        else d.completed_at end
    from input i
    where d.id = ?::bigint and d.status in ('delivered', 'failed') and d.attempt_count < i.number
      and (select count(*) from counted) >= 0
    returning d.id, d.status, d.completed_at, d.next_retry_at
  )`

/** Moves the attempts before it, which a trigger moved when the delivery ended, if a success moves the delivery again. */
const FOLLOWED = `, followed as (
    update webhook_attempt a set delivery_status = d.status, delivery_completed_at = d.completed_at
    from delivery d
    where a.delivery_id = ?::bigint and a.delivery_status = 'failed' and d.status = 'delivered'
  )`

const RECORDED = `, endpoint as (
    update webhook_endpoint e set
      failure_count = case when i.error_code is null then 0 else e.failure_count + 1 end,
      last_success_at = case when i.error_code is null then now() else e.last_success_at end
    from input i, counted c, delivery d
    where e.id = c.id
    returning e.failure_count, e.last_success_at
  ), attempt as (
    insert into webhook_attempt (delivery_id, number, trigger, started_at, duration_ms,
      response_status, error_code, error_cause, error_message, response_body, response_encoding,
      remote_ip, timings, response_headers, delivery_status, delivery_completed_at)
    select d.id, i.number, i.trigger, i.started_at, i.duration_ms, i.response_status, i.error_code,
      i.error_cause, i.error_message, i.response_body, i.response_encoding, i.remote_ip, i.timings,
      i.response_headers, d.status, d.completed_at
    from input i, delivery d
  )
  select coalesce((select failure_count from endpoint), 0) as "failureCount",
    coalesce((select extract(epoch from now() - last_success_at) * 1000 from endpoint), 0)::float8
      as "sinceLastSuccessMs",
    greatest(0, coalesce(extract(epoch from d.next_retry_at - now()) * 1000, 0))::int as "nextWaitMs"
  from delivery d`

const RECORD = INPUT + PENDING + RECORDED
const RECORD_AFTER_END = INPUT + ENDED + FOLLOWED + RECORDED

/**
 * Records an attempt, its delivery's new state and the endpoint's count in one statement, which is one
 * transaction if the caller has none. Returns null, having written nothing, if an attempt of this number is
 * recorded already or the delivery is deleted. Raw SQL because every attempt runs it: see `requestWorkflows`.
 */
export async function recordAttempt(
  em: EntityManager,
  attempt: AttemptToRecord,
): Promise<Standing | null> {
  const input = inputOf(attempt)
  const { deliveryId } = attempt
  const record = async (): Promise<Standing | null> => {
    const [recorded] = await em.execute<Standing[]>(RECORD, [...input, deliveryId])
    if (recorded) return recorded
    const [late] = await em.execute<Standing[]>(RECORD_AFTER_END, [
      ...input,
      deliveryId,
      deliveryId,
    ])
    return late ?? null
  }
  return em.isInTransaction() ? record() : repeatCollisions(record)
}

const inputOf = (attempt: AttemptToRecord): unknown[] => [
  attempt.endpointId,
  attempt.number,
  attempt.trigger,
  attempt.startedAt,
  attempt.durationMs,
  attempt.responseStatus,
  attempt.errorCode,
  attempt.errorCause,
  attempt.errorMessage,
  attempt.responseBody,
  attempt.responseEncoding,
  attempt.remoteIp,
  JSON.stringify(attempt.timings),
  JSON.stringify(attempt.responseHeaders),
  attempt.status,
  attempt.waitMs,
]

/** Ends a delivery without another attempt. Does nothing if it has ended already. */
export const failDelivery = (
  em: EntityManager,
  deliveryId: number,
  errorCode: DeliveryErrorCode,
): Promise<void> =>
  em.transactional(async (tx) => {
    await queries(tx)
      .updateTable('webhook_delivery')
      .set({ status: 'failed', errorCode, nextRetryAt: null, completedAt: sql`now()` })
      .where('id', '=', deliveryId)
      .where('status', '=', 'pending')
      .execute()
  })
