import type { EntityManager } from '../db/database.ts'
import type { OutboxCommand } from '../db/entities/event.ts'

/** A command that this relay holds until its lease is over. */
export interface ClaimedCommand {
  id: number
  command: OutboxCommand
  subjectId: string
  accountId: number
  /** The request that caused it; null where none of ours did. */
  requestId: string | null
  /** How often the command was claimed, this time included. */
  attempts: number
  /** Of a delivery that still waits to be sent; null for other commands. */
  eventType: string | null
  endpointUrl: string | null
  /** False where the delivery was deleted or has ended: there is nothing to start. */
  isWanted: boolean
}

/**
 * Claims up to `limit` due commands by moving their due time to the end of a lease. The row locks
 * end with this statement: no transaction is open while Temporal is called, and a relay that is
 * killed in between leaves rows that come due again by themselves. Relays skip each other's rows.
 */
export async function claimDue(
  em: EntityManager,
  limit: number,
  leaseMs: number,
): Promise<ClaimedCommand[]> {
  const rows = await em.execute<(Omit<ClaimedCommand, 'id'> & { id: string })[]>(
    `with claimed as (
       update outbox set due_at = now() + ?::int * interval '1 millisecond', attempts = attempts + 1
       where id in (select id from outbox where due_at <= now() order by due_at, id limit ?
         for update skip locked)
       returning *
     )
     select c.id::text, c.command, c.subject_id as "subjectId", c.account_id as "accountId",
       c.request_id as "requestId", c.attempts, d.event_type as "eventType", e.url as "endpointUrl",
       (c.command not in ('deliver-webhook', 'retry-delivery') or d.id is not null) as "isWanted"
     from claimed c
       left join webhook_delivery d on d.status = 'pending' and d.id =
         case when c.command in ('deliver-webhook', 'retry-delivery')
           and c.subject_id ~ '^[0-9]{1,9}$' then c.subject_id::int end
       left join webhook_endpoint e on e.id = d.endpoint_id
     order by c.id`,
    [leaseMs, limit],
  )
  return rows.map((row) => ({ ...row, id: Number(row.id) }))
}

/** Deletes commands that Temporal has. */
export async function deleteDone(em: EntityManager, ids: number[]): Promise<void> {
  await em.execute('delete from outbox where id = any(?::bigint[])', [`{${ids.join(',')}}`])
}

/** Makes a claimed command due again in `delayMs`. */
export async function postpone(em: EntityManager, id: number, delayMs: number): Promise<void> {
  await em.execute(
    `update outbox set due_at = now() + ?::int * interval '1 millisecond' where id = ?`,
    [delayMs, id],
  )
}
