import { sql } from 'kysely'
import { FAILED_KEPT_DAYS } from '../../domain/limits.ts'
import type { EventType } from '../../domain/webhooks/events.ts'
import type { EntityManager } from '../database.ts'
import { Event } from '../entities/event.ts'
import { findPage, sqlDirection, type Page, type PageRead, type PageRequest } from '../page.ts'
import { daysAgo, queries } from '../queries.ts'
import { SETTLED } from './settled-events.ts'

export interface EventFilter {
  accountId: number
  type?: EventType | undefined
}

/** The exact bytes of an event's envelope. */
export interface EventBody {
  body: string
}

/** After this time no read shows an event; its row stays until its partition is dropped. */
const KEPT_MS = FAILED_KEPT_DAYS * 86_400_000

/** The account's event, as soon as it is committed; null for another account's. */
export const findEvent = (
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<Event | null> =>
  em.findOne(Event, { id, accountId, createdAt: { $gt: new Date(Date.now() - KEPT_MS) } })

/**
 * A page of the account's events, newest first; a cursor is the id of one of them. The order is that of
 * the transactions that wrote them. Events are hidden while an older transaction of this database is open: an event that
 * appears later is newer, so a reader that continues after the last one misses nothing.
 */
export const listEvents = (
  em: EntityManager,
  filter: EventFilter,
  request: PageRequest<string>,
): Promise<Page<EventBody>> => findPage(request, (read) => findBodies(em, filter, read))

function findBodies(
  em: EntityManager,
  { accountId, type }: EventFilter,
  { direction, cursor, limit }: PageRead<string>,
): Promise<EventBody[]> {
  const { beyond, order } = sqlDirection(direction)
  let query = queries(em)
    .selectFrom('event')
    .select('body')
    .where(sql<boolean>`transaction_id < ${SETTLED}`)
    .where('accountId', '=', accountId)
    .where('createdAt', '>', daysAgo(FAILED_KEPT_DAYS))
  if (type !== undefined) query = query.where('type', '=', type)
  if (cursor !== undefined)
    query = query.where(
      sql<boolean>`(transaction_id, number) ${beyond}
        (select c.transaction_id, c.number from event c where c.id = ${cursor})`,
    )
  return query.orderBy('transactionId', order).orderBy('number', order).limit(limit).execute()
}
