import { sql } from 'kysely'
import type { EventType } from '../../domain/webhooks/events.ts'
import type { EntityManager } from '../database.ts'
import { WebhookDelivery } from '../entities/event.ts'
import { queries } from '../queries.ts'

/** A delivery to insert. */
export interface NewDelivery {
  accountId: number
  endpointId: number
  eventId: string
  /** The number of the event; null if it is not known. */
  eventNumber: number | null
  eventType: EventType
  /** The ended delivery that it repeats. */
  retryOf?: number
}

/** Inserts a pending delivery; returns its id. */
export async function insertDelivery(em: EntityManager, delivery: NewDelivery): Promise<number> {
  const { id } = await queries(em)
    .insertInto('webhook_delivery')
    .values(delivery)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Inserts a pending delivery of each event for each active endpoint of its account that subscribes to its type. The
 * lock keeps the endpoints until the commit: one that is being deleted is waited for, and then left out. Raw SQL
 * because every event pays for it: see `requestWorkflows`.
 */
export async function insertDeliveriesToSubscribers(
  em: EntityManager,
  events: Pick<NewDelivery, 'accountId' | 'eventId' | 'eventNumber' | 'eventType'>[],
): Promise<Pick<WebhookDelivery, 'id' | 'accountId' | 'eventId'>[]> {
  if (events.length === 0) return []
  const values = events.map(() => '(?::int, ?::text, ?::bigint, ?::text)').join(', ')
  return em.execute(
    `insert into webhook_delivery (account_id, endpoint_id, event_id, event_number, event_type)
     select n.account_id, e.id, n.event_id, n.event_number, n.event_type
     from (values ${values}) as n (account_id, event_id, event_number, event_type)
       join webhook_endpoint e on e.account_id = n.account_id and e.is_active
         and n.event_type = any (e.events)
     order by e.id for key share of e
     returning id, account_id as "accountId", event_id as "eventId"`,
    events.flatMap(({ accountId, eventId, eventNumber, eventType }) => [
      accountId,
      eventId,
      eventNumber,
      eventType,
    ]),
  )
}

/**
 * Records that an attempt of a delivery is requested. False if one was within the last ten minutes and is not recorded
 * yet: that request stands. A request that was lost does not block another for longer.
 */
export async function recordRetryRequest(em: EntityManager, id: number): Promise<boolean> {
  const recorded = await queries(em)
    .updateTable('webhook_delivery')
    .set({ retryRequestedAt: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where(sql<boolean>`coalesce(retry_requested_at < now() - interval '10 minutes', true)`)
    .returning('id')
    .executeTakeFirst()
  return recorded !== undefined
}
