import type { EntityManager } from '../../db/database.ts'
import type { DeliveryStatus } from '../../db/entities/event.ts'
import { MANUAL_ATTEMPTS_MAX } from '../../domain/delivery-schedule.ts'
import type { EventType } from '../../domain/events.ts'
import { appendCommands } from '../../db/workflow-requests.ts'

interface DeliveryToRetry {
  status: DeliveryStatus
  isWaiting: boolean
  /** Attempts that were asked for. */
  manualCount: number
  eventId: string
  eventType: EventType
  endpointId: number
  isActive: boolean
}

/**
 * Sends a delivery now (ADR 0020). One that waits for its next attempt gets an attempt beside its
 * schedule, 20 at most; one that has ended is repeated by a new delivery of the same event, so that
 * no delivery has a sixth scheduled attempt (spec, "Webhook delivery"). Asked twice, the repetition
 * that is under way is the answer. Call it in a transaction. Returns the id of the delivery that is sent.
 */
export async function retryDelivery(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<number | 'not_found' | 'inactive' | 'too_many'> {
  const delivery = await lockDelivery(em, accountId, id)
  if (!delivery) return 'not_found'
  if (delivery.status === 'pending') {
    if (!delivery.isWaiting) return id
    if (delivery.manualCount >= MANUAL_ATTEMPTS_MAX) return 'too_many'
    await appendCommands(em, [{ command: 'retry-delivery', subjectId: String(id), accountId }])
    return id
  }
  if (!delivery.isActive && delivery.eventType !== 'webhook.test') return 'inactive'
  return (await findPending(em, delivery)) ?? (await repeat(em, accountId, id, delivery))
}

/** The endpoint first, as everywhere; locked, so that two who ask at once ask one after the other. */
async function lockDelivery(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<DeliveryToRetry | null> {
  const [row] = await em.execute<DeliveryToRetry[]>(
    `with endpoint as (
       select e.id, e.is_active from webhook_endpoint e
       where e.id = (select endpoint_id from webhook_delivery where id = ? and account_id = ?)
       for no key update
     )
     select d.status, d.event_id as "eventId", d.event_type as "eventType",
       coalesce(d.next_retry_at > now(), false) as "isWaiting", e.id as "endpointId",
       e.is_active as "isActive",
       (select count(*) from webhook_attempt a
         where a.delivery_id = d.id and a.trigger = 'manual')::int as "manualCount"
     from webhook_delivery d join endpoint e on e.id = d.endpoint_id where d.id = ?`,
    [id, accountId, id],
  )
  return row ?? null
}

async function findPending(
  em: EntityManager,
  { eventId, endpointId }: DeliveryToRetry,
): Promise<number | null> {
  const [row] = await em.execute<{ id: number }[]>(
    `select id from webhook_delivery
     where event_id = ? and endpoint_id = ? and status = 'pending' limit 1`,
    [eventId, endpointId],
  )
  return row?.id ?? null
}

async function repeat(
  em: EntityManager,
  accountId: number,
  retryOf: number,
  { endpointId, eventId, eventType }: DeliveryToRetry,
): Promise<number> {
  const [row] = await em.execute<{ id: number }[]>(
    `insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, retry_of)
     values (?, ?, ?, ?, ?) returning id`,
    [accountId, endpointId, eventId, eventType, retryOf],
  )
  const id = row?.id ?? 0
  await appendCommands(em, [{ command: 'deliver-webhook', subjectId: String(id), accountId }])
  return id
}
