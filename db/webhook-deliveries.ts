import type { EventType } from '../domain/events.ts'
import type { EntityManager } from './database.ts'
import { WebhookAttempt, WebhookDelivery } from './entities/event.ts'
import type { DeliveryStatus } from './entities/event.ts'
import { byId, findPage, given, hasCursor } from './page.ts'
import type { Page, PageRequest } from './page.ts'

export interface DeliveryFilter {
  accountId: number
  status?: DeliveryStatus | undefined
  endpointId?: number | undefined
  eventId?: string | undefined
  eventType?: EventType | undefined
  retryOf?: number | undefined
  replayId?: number | undefined
}

/** Deliveries that were made from `since` on, up to but without `until`. */
export interface DeliveryPeriod {
  since?: Date | undefined
  until?: Date | undefined
}

export interface DeliveryWithAttempts {
  delivery: WebhookDelivery
  attempts: WebhookAttempt[]
}

/**
 * A page of the account's deliveries, newest first, with their attempts. Null where the cursor is none
 * of the account's deliveries.
 */
export async function listDeliveries(
  em: EntityManager,
  filter: DeliveryFilter,
  { since, until }: DeliveryPeriod,
  request: PageRequest<number>,
): Promise<Page<DeliveryWithAttempts> | null> {
  if (!(await hasCursor(em, WebhookDelivery, filter.accountId, request))) return null
  const createdAt = given({ $gte: since, $lt: until })
  const isBounded = Object.keys(createdAt).length > 0
  const condition = { ...given(filter), ...(isBounded ? { createdAt } : {}) }
  const page = await findPage(request, (read) => {
    const { where, orderBy } = byId(read)
    return em.find(WebhookDelivery, { ...condition, ...where }, { orderBy, limit: read.limit })
  })
  return { ...page, rows: await withAttempts(em, page.rows) }
}

/** One delivery of the account with its attempts; null for another account's. */
export async function findDelivery(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<DeliveryWithAttempts | null> {
  const delivery = await em.findOne(WebhookDelivery, { id, accountId })
  return delivery ? ((await withAttempts(em, [delivery]))[0] ?? null) : null
}

/** Adds the attempts of each delivery. */
export async function withAttempts(
  em: EntityManager,
  deliveries: WebhookDelivery[],
): Promise<DeliveryWithAttempts[]> {
  const ids = deliveries.map(({ id }) => id)
  const attempts = await em.find(
    WebhookAttempt,
    { deliveryId: { $in: ids } },
    { orderBy: { number: 'asc' } },
  )
  return deliveries.map((delivery) => ({
    delivery,
    attempts: attempts.filter(({ deliveryId }) => deliveryId === delivery.id),
  }))
}
