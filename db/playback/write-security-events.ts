import type { EntityManager } from '../database.ts'
import { SecurityEvent } from '../entities/event.ts'

type NewRow = Pick<
  SecurityEvent,
  'accountId' | 'eventType' | 'severity' | 'videoId' | 'viewerId' | 'details'
>

/**
 * Inserts security events; returns their ids, in their order. Throws when an account does not exist: the column is then
 * null, because no foreign key locks the row of the account (ADR 0058). Raw SQL for the reason of `requestWorkflows`.
 */
export async function insertSecurityEvents(em: EntityManager, rows: NewRow[]): Promise<number[]> {
  if (rows.length === 0) return []
  const values = rows
    .map(() => '((select id from account where id = ?), ?, ?, ?, ?, ?::jsonb)')
    .join(', ')
  const inserted = await em.execute<{ id: number }[]>(
    `insert into security_event (account_id, event_type, severity, video_id, viewer_id, details)
     values ${values} returning id`,
    rows.flatMap(({ accountId, eventType, severity, videoId, viewerId, details }) => [
      accountId,
      eventType,
      severity,
      videoId,
      viewerId,
      JSON.stringify(details),
    ]),
  )
  return inserted.map(({ id }) => id)
}

/** Adds to `details.count`, which is absent for one, of security events; returns the ids of those that still exist. */
export async function addToSecurityEvents(
  em: EntityManager,
  counts: { id: number; more: number }[],
): Promise<number[]> {
  if (counts.length === 0) return []
  const values = counts.map(() => '(?::bigint, ?::int)').join(', ')
  const changed = await em.execute<{ id: number }[]>(
    `update security_event s set details = s.details || jsonb_build_object('count',
       coalesce((s.details->>'count')::int, 1) + c.more)
     from (values ${values}) as c (id, more) where s.id = c.id returning s.id`,
    counts.flatMap(({ id, more }) => [id, more]),
  )
  return changed.map(({ id }) => id)
}
