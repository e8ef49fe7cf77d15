import { sql, type SelectQueryBuilder } from 'kysely'
import type { EventType } from '../../domain/webhooks/events.ts'
import type { EntityManager } from '../database.ts'
import { WebhookAttempt, WebhookDelivery, type DeliveryStatus } from '../entities/event.ts'
import {
  findPage,
  given,
  isBeyondInTime,
  sqlDirection,
  type Page,
  type PageRead,
  type PageRequest,
} from '../page.ts'
import { exactlyOne, queries, type Tables } from '../queries.ts'

export interface DeliveryFilter {
  accountId: number
  status?: DeliveryStatus | undefined
  endpointId?: number | undefined
  eventId?: string | undefined
  eventType?: EventType | undefined
  retryOf?: number | undefined
  replayId?: number | undefined
}

/** Deliveries created from `since` on, `until` excluded. */
export interface DeliveryPeriod {
  since?: Date | undefined
  until?: Date | undefined
}

export interface DeliveryWithAttempts {
  delivery: WebhookDelivery
  attempts: WebhookAttempt[]
}

export interface DeliverySummary {
  delivery: WebhookDelivery
  /** Null before the first attempt. */
  last: Pick<WebhookAttempt, 'responseStatus' | 'errorCode'> | null
}

/** A page of the account's deliveries, newest first, with their attempts. */
export async function listDeliveries(
  em: EntityManager,
  filter: DeliveryFilter,
  period: DeliveryPeriod,
  request: PageRequest<number>,
): Promise<Page<DeliveryWithAttempts>> {
  const page = await findDeliveries(em, filter, period, request)
  return { ...page, rows: await withAttempts(em, page.rows) }
}

/** As `listDeliveries`, with the outcome of the last attempt in place of all of them. */
export async function listDeliverySummaries(
  em: EntityManager,
  filter: DeliveryFilter,
  period: DeliveryPeriod,
  request: PageRequest<number>,
): Promise<Page<DeliverySummary>> {
  const page = await findDeliveries(em, filter, period, request)
  if (page.rows.length === 0) return { ...page, rows: [] }
  const ids = page.rows.map(({ id }) => id)
  const attempts = await queries(em)
    .selectFrom('webhook_attempt')
    .distinctOn('deliveryId')
    .select(['deliveryId', 'responseStatus', 'errorCode'])
    .where('deliveryId', 'in', ids)
    .orderBy('deliveryId')
    .orderBy('number', 'desc')
    .execute()
  const lastOf = new Map(attempts.map((attempt) => [attempt.deliveryId, attempt]))
  const rows = page.rows.map((delivery) => ({ delivery, last: lastOf.get(delivery.id) ?? null }))
  return { ...page, rows }
}

function findDeliveries(
  em: EntityManager,
  filter: DeliveryFilter,
  period: DeliveryPeriod,
  request: PageRequest<number>,
): Promise<Page<WebhookDelivery>> {
  const { accountId } = filter
  const matching = queries(em)
    .selectFrom('webhook_delivery')
    .selectAll()
    .where((eb) => eb.and(given(filter)))
    .where(isOfPresentEndpoint(accountId))
  return findPage(request, (read) =>
    (period.since ?? period.until)
      ? findOfPeriod(matching, accountId, period, read)
      : findById(matching, read),
  )
}

/**
 * True for a delivery whose endpoint is not deleted. The account has few deleted ones, whose rows are about to go, so
 * PostgreSQL reads them once and keeps the order of the index.
 */
export const isOfPresentEndpoint = (accountId: number) =>
  sql<boolean>`endpoint_id not in (select gone.id from webhook_endpoint gone
    where gone.account_id = ${accountId} and gone.deleted_at is not null)`

type Deliveries = SelectQueryBuilder<Tables, 'webhook_delivery', WebhookDelivery>

function findById(
  matching: Deliveries,
  { direction, cursor, limit }: PageRead<number>,
): Promise<WebhookDelivery[]> {
  const { beyond, order } = sqlDirection(direction)
  const query =
    cursor === undefined ? matching : matching.where(sql<boolean>`id ${beyond} ${cursor}`)
  return query.orderBy('id', order).limit(limit).execute()
}

/** By the time of their creation, so that only the period is read, however old it is. */
function findOfPeriod(
  matching: Deliveries,
  accountId: number,
  { since, until }: DeliveryPeriod,
  { direction, cursor, limit }: PageRead<number>,
): Promise<WebhookDelivery[]> {
  const { order } = sqlDirection(direction)
  let query = matching
  if (since !== undefined) query = query.where('createdAt', '>=', since)
  if (until !== undefined) query = query.where('createdAt', '<', until)
  if (cursor !== undefined)
    query = query.where(
      isBeyondInTime(['webhook_delivery', 'webhook_delivery'], accountId, { direction, cursor }),
    )
  return query.orderBy('createdAt', order).orderBy('id', order).limit(limit).execute()
}

/** One delivery of the account with its attempts; null for another account's, and for that of a deleted endpoint. */
export async function findDelivery(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<DeliveryWithAttempts | null> {
  const delivery = await findRow(em, accountId, id)
  return delivery ? exactlyOne(await withAttempts(em, [delivery])) : null
}

async function findRow(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<WebhookDelivery | null> {
  const row = await queries(em)
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where(isOfPresentEndpoint(accountId))
    .executeTakeFirst()
  return row ?? null
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

/** What decides how a delivery is sent again. */
export interface DeliveryToRetry {
  status: DeliveryStatus
  /** It is pending, but is about to end because its endpoint was disabled. */
  isCutOff: boolean
  isWaiting: boolean
  /** Attempts outside the schedule. */
  manualCount: number
  eventId: string
  eventType: EventType
  endpointId: number
  isActive: boolean
}

/**
 * Locks the endpoint of the account's delivery, so that simultaneous retries wait for each other, and
 * reads the delivery; null if there is none, or its endpoint is deleted. The endpoint is locked before its deliveries everywhere.
 */
export async function lockDeliveryToRetry(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<DeliveryToRetry | null> {
  const row = await queries(em)
    .with('endpoint', (db) =>
      db
        .selectFrom('webhook_endpoint as e')
        .select(['e.id', 'e.isActive', 'e.cutOffAt'])
        .where('e.deletedAt', 'is', null)
        .where('e.id', '=', (eb) =>
          eb
            .selectFrom('webhook_delivery')
            .select('endpointId')
            .where('id', '=', id)
            .where('accountId', '=', accountId),
        )
        .forNoKeyUpdate(),
    )
    .selectFrom('webhook_delivery as d')
    .innerJoin('endpoint as e', 'e.id', 'd.endpointId')
    .select(['d.status', 'd.eventId', 'd.eventType', 'd.endpointId', 'e.isActive'])
    .select([
      sql<boolean>`d.status = 'pending' and ${IS_CUT_OFF}`.as('isCutOff'),
      sql<boolean>`coalesce(d.next_retry_at > now(), false)`.as('isWaiting'),
      sql<number>`(select count(*) from webhook_attempt a
        where a.delivery_id = d.id and a.trigger = 'manual')`.as('manualCount'),
    ])
    .where('d.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/**
 * True for a delivery `d` that was waiting when its endpoint `e` was disabled: it is never sent, also after the endpoint
 * is activated again. The workflow of the endpoint ends the many, and forgets the time then.
 */
export const IS_CUT_OFF = sql<boolean>`(d.event_type <> 'webhook.test'
  and coalesce(d.created_at <= e.cut_off_at, false))`

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
