import type { EventType } from '../domain/events.ts'
import type { EntityManager } from './database.ts'
import { Event } from './entities/event.ts'
import { findPage } from './page.ts'
import type { Page, PageRead, PageRequest } from './page.ts'

export interface EventFilter {
  accountId: number
  type?: EventType | undefined
}

/** The exact bytes of an event's envelope. */
export interface EventBody {
  body: string
}

/** The account's event, as soon as it is committed; null for another account's. */
export const findEvent = (
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<Event | null> => em.findOne(Event, { id, accountId })

/**
 * A page of the account's events, newest first; a cursor is the id of one of them. The order is that
 * of the transactions that wrote them, and none is shown while an older transaction is under way:
 * what comes to be shown later is newer, so whoever reads on behind the last one misses nothing.
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
  const order = direction === 'older' ? 'desc' : 'asc'
  const conditions: [string, unknown][] = [['account_id = ?', accountId]]
  if (type !== undefined) conditions.push(['type = ?', type])
  if (cursor !== undefined)
    conditions.push([
      `(transaction_id, number) ${direction === 'older' ? '<' : '>'}
         (select c.transaction_id, c.number from event c where c.id = ?)`,
      cursor,
    ])
  return em.execute<EventBody[]>(
    `select body from event
     where transaction_id < pg_snapshot_xmin(pg_current_snapshot())
       and ${conditions.map(([sql]) => sql).join(' and ')}
     order by transaction_id ${order}, number ${order} limit ?`,
    [...conditions.map(([, value]) => value), limit],
  )
}

/**
 * Takes every event for settled where the database was restored into a server that has counted
 * fewer transactions than the one it came from: its ids would all lie in the future, and hide.
 */
export async function settleRestoredEvents(em: EntityManager): Promise<void> {
  await em.execute(
    `update event e set transaction_id = '0', number = o.number
     from (select id, row_number() over (order by transaction_id, number) as number from event) o
     where o.id = e.id and exists (
       select 1 from event where transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))`,
  )
}
