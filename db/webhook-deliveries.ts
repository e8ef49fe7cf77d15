import type { EntityManager } from './database.ts'
import { WebhookAttempt, WebhookDelivery } from './entities/event.ts'
import type { DeliveryStatus } from './entities/event.ts'

export interface DeliveryFilter {
  accountId: number
  status?: DeliveryStatus | undefined
  endpointId?: number | undefined
  eventId?: string | undefined
}

export interface Page {
  limit: number
  /** Only rows that are older than this id. */
  startingAfter?: number | undefined
  /** Only rows that are newer than this id. */
  endingBefore?: number | undefined
}

export interface DeliveryWithAttempts {
  delivery: WebhookDelivery
  attempts: WebhookAttempt[]
}

/** A page of deliveries, newest first, with their attempts; `hasMore` looks in the direction of travel. */
export async function listDeliveries(
  em: EntityManager,
  filter: DeliveryFilter,
  page: Page,
): Promise<{ rows: DeliveryWithAttempts[]; hasMore: boolean }> {
  const { accountId, status, endpointId, eventId } = filter
  const backwards = page.endingBefore !== undefined
  const found = await em.find(
    WebhookDelivery,
    {
      accountId,
      ...(status === undefined ? {} : { status }),
      ...(endpointId === undefined ? {} : { endpointId }),
      ...(eventId === undefined ? {} : { eventId }),
      ...(page.startingAfter === undefined ? {} : { id: { $lt: page.startingAfter } }),
      ...(page.endingBefore === undefined ? {} : { id: { $gt: page.endingBefore } }),
    },
    { orderBy: { id: backwards ? 'asc' : 'desc' }, limit: page.limit + 1 },
  )
  const hasMore = found.length > page.limit
  const deliveries = found.slice(0, page.limit)
  if (backwards) deliveries.reverse()
  return { rows: await withAttempts(em, deliveries), hasMore }
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

async function withAttempts(
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
