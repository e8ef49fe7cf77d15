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

/** Inserts events. Raw SQL because every change runs it: see `requestWorkflows`. */
export async function insertEvents(em: EntityManager, events: NewEventRow[]): Promise<void> {
  if (events.length === 0) return
  await em.execute(
    `insert into event (id, account_id, type, body, request_id, created_at)
     values ${events.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')}`,
    events.flatMap(({ id, accountId, type, body, requestId, createdAt }) => [
      id,
      accountId,
      type,
      body,
      requestId,
      createdAt,
    ]),
  )
}

/**
 * Treats every event as settled if the database was restored into a server that has counted fewer
 * transactions than the original: otherwise the ids of all events would be in the future, and no event would be listed.
 * A running replay, which would wait for that future, ends with what was restored.
 */
export async function settleRestoredEvents(em: EntityManager): Promise<void> {
  const ordered = sql`select id, row_number() over (order by transaction_id, number) as number from event`
  await sql`update event e set transaction_id = '0', number = o.number from (${ordered}) o
    where o.id = e.id and exists (
      select 1 from event where transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))`.execute(
    queries(em),
  )
  await sql`update webhook_replay set end_transaction_id = pg_current_xact_id() where state = 'running'
    and end_transaction_id >= pg_snapshot_xmax(pg_current_snapshot())`.execute(queries(em))
}
