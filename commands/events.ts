import { requestOf, type EntityManager } from '../db/database.ts'
import { requestWorkflows, type WorkflowRequest } from '../db/outbox/write-workflow-requests.ts'
import { exactlyOne } from '../db/queries.ts'
import { insertEvents, type NewEventRow } from '../db/webhooks/write-events.ts'
import {
  insertDeliveriesToSubscribers,
  insertDelivery,
} from '../db/webhooks/write-webhook-deliveries.ts'
import { eventEnvelope, type EventData, type EventType } from '../domain/webhooks/events.ts'

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
export const appendEvent = async <T extends EventType>(
  em: EntityManager,
  event: NewEvent<T>,
): Promise<string> => exactlyOne(await appendEvents(em, [event]))

/** As `appendEvent`, for several events with as many statements as for one. */
export async function appendEvents<T extends EventType>(
  em: EntityManager,
  events: NewEvent<T>[],
): Promise<string[]> {
  const made = events.map((event) => eventRow(em, event))
  const rows = await insertEvents(em, made)
  const deliveries = await insertDeliveriesToSubscribers(
    em,
    rows.map(({ id, number, accountId, type }) => ({
      accountId,
      eventId: id,
      eventNumber: number,
      eventType: type,
    })),
  )
  const requestIds = new Map(rows.map(({ id, requestId }) => [id, requestId]))
  const startOf = ({ id, accountId, eventId }: (typeof deliveries)[number]) =>
    startOfDelivery(id, accountId, requestIds.get(eventId) ?? null)
  await requestWorkflows(em, deliveries.map(startOf))
  return rows.map(({ id }) => id)
}

/** Records an event for one endpoint only, even if the endpoint is inactive or does not subscribe to it. */
export async function appendEventFor<T extends EventType>(
  em: EntityManager,
  endpointId: number,
  event: NewEvent<T>,
): Promise<{ eventId: string; deliveryId: number }> {
  const row = exactlyOne(await insertEvents(em, [eventRow(em, event)]))
  const { id: eventId, number: eventNumber, accountId, type: eventType, requestId } = row
  const delivery = { accountId, endpointId, eventId, eventNumber, eventType }
  const deliveryId = await insertDelivery(em, delivery)
  await requestWorkflows(em, [startOfDelivery(deliveryId, accountId, requestId)])
  return { eventId, deliveryId }
}

function eventRow<T extends EventType>(
  em: EntityManager,
  { accountId, type, data, requestId }: NewEvent<T>,
): NewEventRow {
  const id = `evt_${crypto.randomUUID().replaceAll('-', '')}`
  const createdAt = new Date()
  const body = JSON.stringify(eventEnvelope(id, type, createdAt, data))
  return { id, accountId, type, body, requestId: requestId ?? requestOf(em), createdAt }
}

const startOfDelivery = (
  deliveryId: number,
  accountId: number,
  requestId: string | null,
): WorkflowRequest => ({
  command: 'deliver-webhook',
  subjectId: String(deliveryId),
  accountId,
  requestId,
})
