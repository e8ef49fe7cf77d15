import { requestOf } from '../db/database.ts'
import type { EntityManager } from '../db/database.ts'
import { eventEnvelope } from '../domain/events.ts'
import type { EventData, EventType } from '../domain/events.ts'
import { appendCommands } from '../db/workflow-requests.ts'

export interface NewEvent<T extends EventType> {
  accountId: number
  type: T
  data: EventData[T]
  /** The request that caused it; that of the EntityManager by default. */
  requestId?: string | null
}

/**
 * Records an event and, in the same transaction, one pending delivery for each active endpoint of
 * the account that is subscribed to its type, with the command that starts its workflow.
 * Returns the event's id (`evt_…`).
 */
export async function appendEvent<T extends EventType>(
  em: EntityManager,
  event: NewEvent<T>,
): Promise<string> {
  const id = await insertEvent(em, event)
  const deliveries = await em.execute<{ id: number }[]>(
    `insert into webhook_delivery (account_id, endpoint_id, event_id, event_type)
     select account_id, id, ?, ? from webhook_endpoint
     where account_id = ? and is_active and ? = any (events)
     returning id`,
    [id, event.type, event.accountId, event.type],
  )
  await startDeliveries(em, event, deliveries)
  return id
}

/** Records an event for one endpoint alone, whatever it subscribes to and even where it is inactive. */
export async function appendEventFor<T extends EventType>(
  em: EntityManager,
  endpointId: number,
  event: NewEvent<T>,
): Promise<{ eventId: string; deliveryId: number }> {
  const eventId = await insertEvent(em, event)
  const deliveries = await em.execute<{ id: number }[]>(
    `insert into webhook_delivery (account_id, endpoint_id, event_id, event_type)
     values (?, ?, ?, ?) returning id`,
    [event.accountId, endpointId, eventId, event.type],
  )
  await startDeliveries(em, event, deliveries)
  return { eventId, deliveryId: deliveries[0]?.id ?? 0 }
}

async function insertEvent<T extends EventType>(
  em: EntityManager,
  event: NewEvent<T>,
): Promise<string> {
  const id = `evt_${crypto.randomUUID().replaceAll('-', '')}`
  const createdAt = new Date()
  const envelope = eventEnvelope(id, event.type, createdAt, event.data)
  await em.execute(
    `insert into event (id, account_id, type, body, request_id, created_at)
     values (?, ?, ?, ?, ?, ?)`,
    [
      ...[id, event.accountId, event.type, JSON.stringify(envelope)],
      ...[event.requestId ?? requestOf(em), createdAt],
    ],
  )
  return id
}

const startDeliveries = (
  em: EntityManager,
  { accountId, requestId = null }: Pick<NewEvent<EventType>, 'accountId' | 'requestId'>,
  deliveries: { id: number }[],
): Promise<void> =>
  appendCommands(
    em,
    deliveries.map(({ id }) => ({
      command: 'deliver-webhook',
      subjectId: String(id),
      ...{ accountId, requestId },
    })),
  )
