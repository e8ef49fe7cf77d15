import type { DeliveryErrorCode, RecordedResponse } from '../../domain/webhooks/webhook-delivery.ts'
import type { EntityManager } from '../database.ts'
import { WebhookDelivery, type DeliveryStatus } from '../entities/event.ts'
import { exactlyOne } from '../queries.ts'

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
 * Like all transactions, locks the endpoint before the delivery; `delivery` reads `endpoint` for that reason. A
 * failed manual attempt moves the scheduled one only if the receiver asks for a later time. A success updates a healthy endpoint at most once a
 * minute, so that deliveries to one busy endpoint do not queue for its row.
 */
const RECORD_ATTEMPT = `
  with input as (
    select ?::bigint as delivery_id, ?::bigint as endpoint_id, ?::int as number, ?::text as trigger,
      ?::timestamptz as started_at, ?::int as duration_ms, ?::int as response_status,
      ?::text as error_code, ?::text as error_cause, ?::text as error_message,
      ?::text as response_body, ?::text as response_encoding, ?::text as remote_ip, ?::jsonb as timings,
      ?::jsonb as response_headers, ?::text as status,
      now() + ?::int * interval '1 millisecond' as next_retry_at
  ), attempt as (
    insert into webhook_attempt (delivery_id, number, trigger, started_at, duration_ms,
      response_status, error_code, error_cause, error_message, response_body, response_encoding,
      remote_ip, timings, response_headers)
    select d.id, i.number, i.trigger, i.started_at, i.duration_ms, i.response_status, i.error_code,
      i.error_cause, i.error_message, i.response_body, i.response_encoding, i.remote_ip, i.timings,
      i.response_headers
    from input i join webhook_delivery d on d.id = i.delivery_id
    on conflict do nothing returning delivery_id
  ), endpoint as (
    update webhook_endpoint e set
      failure_count = case when i.error_code is null then 0 else e.failure_count + 1 end,
      last_success_at = case when i.error_code is null then now() else e.last_success_at end
    from input i
    where e.id = i.endpoint_id and exists (select 1 from attempt)
      and (i.error_code is not null or e.failure_count > 0
        or e.last_success_at < now() - interval '1 minute')
    returning e.failure_count, e.last_success_at
  ), delivery as (
    update webhook_delivery d set
      attempt_count = i.number, status = i.status, retry_requested_at = null,
      next_retry_at = case when i.status = 'pending' and i.trigger = 'manual'
        then greatest(d.next_retry_at, i.next_retry_at) else i.next_retry_at end,
      error_code = case when i.status = 'delivered' then null else i.error_code end,
      completed_at = case when i.status <> 'pending' then now() end
    from input i
    where d.id = i.delivery_id and exists (select 1 from attempt)
      and (select count(*) from endpoint) >= 0
      and (d.status = 'pending' or i.status = 'delivered')
    returning d.next_retry_at
  )
  select (select count(*) from attempt)::int as "recorded",
    coalesce((select failure_count from endpoint), 0) as "failureCount",
    coalesce((select extract(epoch from now() - last_success_at) * 1000 from endpoint), 0)::float8
      as "sinceLastSuccessMs",
    greatest(0, coalesce((select extract(epoch from next_retry_at - now()) * 1000 from delivery), 0))
      ::int as "nextWaitMs"`

/**
 * Records an attempt, its delivery's new state and the endpoint's count in one statement, which is one
 * transaction if the caller has none. Returns null, having written nothing, if the attempt of this number is
 * recorded already or the delivery is deleted. Raw SQL because every attempt runs it: see `requestWorkflows`.
 */
export async function recordAttempt(
  em: EntityManager,
  attempt: AttemptToRecord,
): Promise<Standing | null> {
  const rows = await em.execute<(Standing & { recorded: number })[]>(RECORD_ATTEMPT, [
    attempt.deliveryId,
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
  ])
  const { recorded, ...standing } = exactlyOne(rows)
  return recorded > 0 ? standing : null
}

/** Ends a delivery without another attempt. Does nothing if it has ended already. */
export async function failDelivery(
  em: EntityManager,
  deliveryId: number,
  errorCode: DeliveryErrorCode,
): Promise<void> {
  await em.nativeUpdate(
    WebhookDelivery,
    { id: deliveryId, status: 'pending' },
    { status: 'failed', errorCode, nextRetryAt: null, completedAt: new Date() },
  )
}
