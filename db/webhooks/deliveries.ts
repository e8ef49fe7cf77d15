import type { EventType } from '../../domain/webhooks/events.ts'
import type { AttemptResponse } from '../../domain/webhooks/webhook-delivery.ts'
import type { EntityManager } from '../database.ts'
import type { DeliveryStatus } from '../entities/event.ts'
import { queries } from '../queries.ts'

/** Everything that one attempt needs. */
export interface DeliveryToSend {
  status: DeliveryStatus
  attemptCount: number
  /** The attempts of the schedule; the others were manual. */
  scheduledCount: number
  /** The wait until its next scheduled attempt; 0 if it is due. */
  waitMs: number
  accountId: number
  eventId: string
  eventType: EventType
  /** The envelope, the same bytes at every attempt. */
  body: string
  endpointId: number
  url: string
  /** False if the endpoint is disabled, or was disabled while the delivery waited. */
  isActive: boolean
  /** The current secret and, during a rotation, those before it, newest first. */
  sealedSecrets: string[]
}

/**
 * The delivery with its endpoint and event; null if it or its endpoint is deleted. Raw SQL because every attempt reads it: see
 * `requestWorkflows`. Looks in the partition of pending deliveries first, and reads the event by the number that names
 * its partition, because to plan for all partitions costs more than the attempt's other statements.
 */
export async function findDeliveryToSend(
  em: EntityManager,
  deliveryId: number,
): Promise<DeliveryToSend | null> {
  const row = (await findRow(em, deliveryId, PENDING)) ?? (await findRow(em, deliveryId, ENDED))
  if (!row) return null
  const { eventNumber, ...delivery } = row
  const body = await findBody(em, row.eventId, eventNumber)
  return body === null ? null : { ...delivery, body }
}

async function findBody(
  em: EntityManager,
  eventId: string,
  number: number | null,
): Promise<string | null> {
  const [event] = await em.execute<{ body: string }[]>(
    `select body from event where id = ?${number === null ? '' : ' and number = ?::bigint'}`,
    number === null ? [eventId] : [eventId, number],
  )
  return event?.body ?? null
}

const PENDING = {
  status: `= 'pending'`,
  scheduledCount: `(select count(*) from webhook_attempt a
    where a.delivery_id = ?::bigint and a.delivery_status = 'pending' and a.trigger = 'schedule')`,
}

/** Has no attempt to come, so none are counted. */
const ENDED = { status: `in ('delivered', 'failed')`, scheduledCount: '?::bigint * 0' }

interface DeliveryRow extends Omit<DeliveryToSend, 'body'> {
  eventNumber: number | null
}

async function findRow(
  em: EntityManager,
  deliveryId: number,
  state: typeof PENDING,
): Promise<DeliveryRow | undefined> {
  const [row] = await em.execute<DeliveryRow[]>(
    `select d.status, d.attempt_count as "attemptCount", d.account_id as "accountId",
       (${state.scheduledCount})::int as "scheduledCount",
       greatest(0, coalesce(extract(epoch from d.next_retry_at - now()) * 1000, 0))::int as "waitMs",
       d.event_id as "eventId", d.event_number as "eventNumber", d.event_type as "eventType",
       e.id as "endpointId", e.url,
       e.is_active and (e.cut_off_at is null or d.created_at > e.cut_off_at) as "isActive",
       array[e.sealed_secret] || array(select s->>'sealed_secret'
         from jsonb_array_elements(e.previous_secrets) s
         where (s->>'valid_until')::timestamptz > now()) as "sealedSecrets"
     from webhook_delivery d
       join webhook_endpoint e on e.id = d.endpoint_id
     where d.id = ?::bigint and d.status ${state.status} and e.deleted_at is null`,
    [deliveryId, deliveryId],
  )
  return row
}

/** The outcome of the delivery's last recorded attempt; null before the first. */
export async function findLastResponse(
  em: EntityManager,
  deliveryId: number,
): Promise<AttemptResponse | null> {
  const last = await queries(em)
    .selectFrom('webhook_attempt')
    .select(['number as attempt', 'responseStatus', 'errorCode', 'durationMs'])
    .where('deliveryId', '=', deliveryId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? null
}
