import { sql } from 'kysely'
import type { EventType } from '../../domain/webhooks/events.ts'
import type { EntityManager } from '../database.ts'
import type { DeliveryStatus } from '../entities/event.ts'
import { queries } from '../queries.ts'
import { IS_CUT_OFF, IS_KEPT } from './webhook-deliveries.ts'

/** What decides how a delivery is sent again. */
export interface DeliveryToRetry {
  status: DeliveryStatus
  /** It is pending, but is about to end because its endpoint was disabled. */
  isCutOff: boolean
  isWaiting: boolean
  /** Attempts outside the schedule. */
  manualCount: number
  eventId: string
  /** Null if its event is gone. */
  eventNumber: number | null
  eventType: EventType
  endpointId: number
  isActive: boolean
}

/**
 * Locks the endpoint of the account's delivery, so that simultaneous retries wait for each other, then the delivery, so that
 * it does not end meanwhile, and reads it; null if there is none, or its endpoint is deleted. The endpoint is locked before its deliveries
 * everywhere. Call it in a transaction.
 */
export async function lockDeliveryToRetry(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<DeliveryToRetry | null> {
  const endpoint = await queries(em)
    .selectFrom('webhook_endpoint as e')
    .select('e.id')
    .where('e.deletedAt', 'is', null)
    .where('e.id', '=', (eb) =>
      eb
        .selectFrom('webhook_delivery')
        .select('endpointId')
        .where('id', '=', id)
        .where('accountId', '=', accountId)
        .where(IS_KEPT),
    )
    .forNoKeyUpdate()
    .executeTakeFirst()
  // Another statement, which sees what the lock has waited for.
  return endpoint ? lockAndRead(em, id) : null
}

async function lockAndRead(em: EntityManager, id: number): Promise<DeliveryToRetry | null> {
  const row = await queries(em)
    .selectFrom('webhook_delivery as d')
    .innerJoin('webhook_endpoint as e', 'e.id', 'd.endpointId')
    .select(['d.status', 'd.eventId', 'd.eventType', 'd.endpointId', 'e.isActive'])
    .select([
      // A delivery that an earlier release created names no number.
      sql<number | null>`coalesce(d.event_number,
        (select v.number from event v where v.id = d.event_id))`.as('eventNumber'),
      sql<boolean>`d.status = 'pending' and ${IS_CUT_OFF}`.as('isCutOff'),
      sql<boolean>`coalesce(d.next_retry_at > now(), false)`.as('isWaiting'),
      sql<number>`(select count(*) from webhook_attempt a
        where a.delivery_id = d.id and a.trigger = 'manual')`.as('manualCount'),
    ])
    .where('d.id', '=', id)
    .forNoKeyUpdate('d')
    .executeTakeFirst()
  return row ?? null
}

/** The id of a delivery of the same event to the same endpoint that will be sent; null if there is none. */
export async function findPendingDelivery(
  em: EntityManager,
  { eventId, endpointId }: Pick<DeliveryToRetry, 'eventId' | 'endpointId'>,
): Promise<number | null> {
  const pending = await queries(em)
    .selectFrom('webhook_delivery as d')
    .innerJoin('webhook_endpoint as e', 'e.id', 'd.endpointId')
    .select('d.id')
    .where('d.eventId', '=', eventId)
    .where('d.endpointId', '=', endpointId)
    .where('d.status', '=', 'pending')
    .where(sql<boolean>`not ${IS_CUT_OFF}`)
    .executeTakeFirst()
  return pending?.id ?? null
}
