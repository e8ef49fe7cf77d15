import { sql } from 'kysely'
import type { EventType } from '../../domain/webhooks/events.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** A row of the table `event`; PostgreSQL adds its order. */
export interface NewEventRow {
  /** `evt_` and 32 characters of lowercase hex. */
  id: string
  accountId: number
  type: EventType
  /** The envelope as it is sent. */
  body: string
  requestId: string | null
  createdAt: Date
}

/** An event in the table, with the number that PostgreSQL gave it. */
export interface StoredEvent extends NewEventRow {
  number: number
}

/** Inserts events; returns them with their numbers. Raw SQL because every change runs it: see `requestWorkflows`. */
export async function insertEvents(
  em: EntityManager,
  events: NewEventRow[],
): Promise<StoredEvent[]> {
  if (events.length === 0) return []
  const rows = await em.execute<{ id: string; number: number }[]>(
    `insert into event (id, account_id, type, body, request_id, created_at)
     values ${events.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')} returning id, number`,
    events.flatMap(({ id, accountId, type, body, requestId, createdAt }) => [
      id,
      accountId,
      type,
      body,
      requestId,
      createdAt,
    ]),
  )
  const numbers = new Map(rows.map(({ id, number }) => [id, number]))
  return events.map((event) => ({ ...event, number: numbers.get(event.id) ?? 0 }))
}

/**
 * Treats every event as settled if the database was restored into a server that has counted fewer
 * transactions than the original: otherwise the ids of all events would be in the future, and no event would be listed.
 * They keep their order and, but for those of transactions that ran at the same time, their numbers.
 * A running replay, which would wait for that future, ends with what was restored.
 */
export async function settleRestoredEvents(em: EntityManager): Promise<void> {
  await sql`
    with o as (
      select id, number as old_number, row_number() over (order by transaction_id, number) as at from event
    ), n as (
      select number, row_number() over (order by number) as at from event
    ), settled as (
      select o.id, o.old_number, n.number from o join n using (at) where exists (
        select from event where transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))
    ), moved as (
      update webhook_delivery d set event_number = s.number
      from settled s where d.event_id = s.id and d.event_number is not null and s.number <> s.old_number
    )
    update event e set transaction_id = '0', number = s.number from settled s
    where e.number = s.old_number`.execute(queries(em))
  await sql`update webhook_replay set end_transaction_id = pg_current_xact_id() where state = 'running'
    and end_transaction_id >= pg_snapshot_xmax(pg_current_snapshot())`.execute(queries(em))
}
