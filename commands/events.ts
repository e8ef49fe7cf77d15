import { requestOf } from '../db/database.ts'
import type { EntityManager } from '../db/database.ts'
import { insertEvent } from '../db/events.ts'
import { insertDelivery, insertDeliveriesToSubscribers } from '../db/webhook-deliveries.ts'
import { requestWorkflows } from '../db/workflow-requests.ts'
import { eventEnvelope } from '../domain/events.ts'
import type { EventData, EventType } from '../domain/events.ts'

export interface NewEvent<T extends EventType> {
  accountId: number
  type: T
  data: EventData[T]
  /** The request that caused it; that of the EntityManager by default. */
  requestId?: string | null
}

/**
 * Records an event and, in the same transaction, one pending delivery for each active endpoint of the
 * account that subscribes to its type, with the request for the delivery's workflow. Returns the event's
 * id (`evt_…`).
 */
export async function appendEvent<T extends EventType>(
  em: EntityManager,
  event: NewEvent<T>,
): Promise<string> {
  const eventId = await recordEvent(em, event)
  const { accountId, type: eventType } = event
  const deliveryIds = await insertDeliveriesToSubscribers(em, { accountId, eventId, eventType })
  await startDeliveries(em, event, deliveryIds)
  return eventId
}

/** Records an event for one endpoint only, even if the endpoint is inactive or does not subscribe to it. */
export async function appendEventFor<T extends EventType>(
  em: EntityManager,
  endpointId: number,
  event: NewEvent<T>,
): Promise<{ eventId: string; deliveryId: number }> {
  const eventId = await recordEvent(em, event)
  const { accountId, type: eventType } = event
  const deliveryId = await insertDelivery(em, { accountId, endpointId, eventId, eventType })
  await startDeliveries(em, event, [deliveryId])
  return { eventId, deliveryId }
}

async function recordEvent<T extends EventType>(
  em: EntityManager,
  { accountId, type, data, requestId }: NewEvent<T>,
): Promise<string> {
  const id = `evt_${crypto.randomUUID().replaceAll('-', '')}`
  const createdAt = new Date()
  const body = JSON.stringify(eventEnvelope(id, type, createdAt, data))
  await insertEvent(em, {
    id,
    accountId,
    type,
    body,
    requestId: requestId ?? requestOf(em),
    createdAt,
  })
  return id
}

const startDeliveries = (
  em: EntityManager,
  { accountId, requestId = null }: Pick<NewEvent<EventType>, 'accountId' | 'requestId'>,
  deliveryIds: number[],
): Promise<void> =>
  requestWorkflows(
    em,
    deliveryIds.map((id) => ({
      command: 'deliver-webhook',
      subjectId: String(id),
      accountId,
      requestId,
    })),
  )
