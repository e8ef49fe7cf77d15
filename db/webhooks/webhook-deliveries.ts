import { sql, type SelectQueryBuilder } from 'kysely'
import { DELIVERIES_PAGE_MAX_BYTES } from '../../domain/limits.ts'
import type { EventType } from '../../domain/webhooks/events.ts'
import type { EntityManager } from '../database.ts'
import { WebhookAttempt, WebhookDelivery, type DeliveryStatus } from '../entities/event.ts'
import {
  boundPage,
  findPage,
  given,
  isBeyondInTime,
  sqlDirection,
  type Page,
  type PageRead,
  type PageRequest,
} from '../page.ts'
import { keptSql } from '../partitions/delivery-tables.ts'
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

/**
 * A page of the account's deliveries, newest first, with their attempts. It ends earlier if the responses of receivers, of
 * which it has all in memory, are long.
 */
export async function listDeliveries(
  em: EntityManager,
  filter: DeliveryFilter,
  period: DeliveryPeriod,
  request: PageRequest<number>,
): Promise<Page<DeliveryWithAttempts>> {
  const found = await findDeliveries(em, filter, period, request)
  const bytes = await readResponseBytes(em, found.rows)
  const page = boundPage(found, request, DELIVERIES_PAGE_MAX_BYTES, ({ id }) => bytes.get(id) ?? 0)
  return { ...page, rows: await withAttempts(em, page.rows) }
}

/** How many bytes the stored responses to the attempts of each delivery have. */
async function readResponseBytes(
  em: EntityManager,
  deliveries: WebhookDelivery[],
): Promise<Map<number, number>> {
  if (deliveries.length === 0) return new Map()
  const rows = await queries(em)
    .selectFrom('webhook_attempt')
    .select([
      'deliveryId',
      sql<number>`sum(coalesce(octet_length(response_body), 0)
        + octet_length(response_headers::text))::int`.as('bytes'),
    ])
    .where(
      'deliveryId',
      'in',
      deliveries.map(({ id }) => id),
    )
    .groupBy('deliveryId')
    .execute()
  return new Map(rows.map(({ deliveryId, bytes }) => [deliveryId, bytes]))
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
  const deliveries = await withKeptOriginals(em, page.rows)
  const rows = deliveries.map((delivery) => ({ delivery, last: lastOf.get(delivery.id) ?? null }))
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
    .where(IS_KEPT)
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

/** True for a delivery that is kept, in a query in which no other table has these columns. */
export const IS_KEPT = sql.raw<boolean>(keptSql('status', 'completed_at'))

/**
 * True for a delivery `d` that was waiting when its endpoint `e` was disabled: it is never sent, also after the endpoint
 * is activated again. The workflow of the endpoint ends the many, and forgets the time then.
 */
export const IS_CUT_OFF = sql<boolean>`(d.event_type <> 'webhook.test'
  and coalesce(d.created_at <= e.cut_off_at, false))`

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
    .where(IS_KEPT)
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
  return (await withKeptOriginals(em, deliveries)).map((delivery) => ({
    delivery,
    attempts: attempts.filter(({ deliveryId }) => deliveryId === delivery.id),
  }))
}

/** Takes `retryOf` from the deliveries whose original is not kept any more. */
async function withKeptOriginals(
  em: EntityManager,
  deliveries: WebhookDelivery[],
): Promise<WebhookDelivery[]> {
  const originals = deliveries.flatMap(({ retryOf }) => retryOf ?? [])
  if (originals.length === 0) return deliveries
  const rows = await queries(em)
    .selectFrom('webhook_delivery')
    .select('id')
    .where('id', 'in', originals)
    .where(IS_KEPT)
    .execute()
  const kept = new Set(rows.map(({ id }) => id))
  for (const delivery of deliveries)
    if (delivery.retryOf !== null && !kept.has(delivery.retryOf)) delivery.retryOf = null
  return deliveries
}
