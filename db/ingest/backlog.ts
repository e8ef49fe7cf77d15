import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { exactlyOne, queries } from '../queries.ts'

/** Rows that wait. */
export interface Backlog {
  /** Counted up to `COUNTED_MAX`. */
  count: number
  /** Of the oldest row; 0 if none waits. */
  oldestSeconds: number
}

/** Bounds the time of a count. */
export const COUNTED_MAX = 10_001

/** Workflow requests that the relay has not handed over to Temporal. Reads the primary key of the outbox. */
export const readOutboxBacklog = (em: EntityManager): Promise<Backlog> =>
  readBacklog(em, 'outbox', 'true')

/** Deliveries that have neither been delivered nor failed. Reads the indexes of pending ones and of deleted endpoints. */
export const readDeliveryBacklog = (em: EntityManager): Promise<Backlog> =>
  readBacklog(
    em,
    'webhook_delivery',
    `status = 'pending' and endpoint_id not in (
       select e.id from webhook_endpoint e where e.deleted_at is not null)`,
  )

async function readBacklog(em: EntityManager, table: string, condition: string): Promise<Backlog> {
  const waiting = sql.raw(`from ${table} where ${condition}`)
  const { rows } = await sql<Backlog>`
    select
      (select count(*)::int from (select id ${waiting} order by id limit ${COUNTED_MAX}) c) as count,
      coalesce((select greatest(0, extract(epoch from now() - created_at))::float8 ${waiting}
        order by id limit 1), 0) as oldest_seconds`.execute(queries(em))
  return exactlyOne(rows)
}
