import type { EntityManager } from '../../db/database.ts'
import {
  addToSecurityEvents,
  insertSecurityEvents,
} from '../../db/playback/write-security-events.ts'
import type { SecuritySeverity } from '../../domain/webhooks/events.ts'
import { appendEvents } from '../events.ts'

export interface NewSecurityEvent {
  accountId: number
  /** Such as `viewer_token_required` (contract, "Other records"). */
  eventType: string
  severity: SecuritySeverity
  videoId: string | null
  viewerId: string | null
  /** No secrets and no tokens. */
  details?: Record<string, unknown>
}

/** A security event that stands for one observed event or several. */
interface CountedEvent {
  event: NewSecurityEvent & { requestId: string | null }
  /** How many observed events; `details.count` is absent for one. */
  count: number
}

/**
 * Inserts security events and announces each as `security.event`, with a few statements whatever their number. Returns
 * their ids, in their order. Call it in a transaction.
 */
export async function insertEventRows(
  tx: EntityManager,
  events: CountedEvent[],
): Promise<number[]> {
  const ids = await insertSecurityEvents(
    tx,
    events.map(({ event, count }) => rowOf(event, count)),
  )
  await appendEvents(
    tx,
    events.map(({ event }, index) => announcementOf(event, Number(ids[index]))),
  )
  return ids
}

const rowOf = (
  { accountId, eventType, severity, videoId, viewerId, details = {} }: NewSecurityEvent,
  count: number,
) => ({
  accountId,
  eventType,
  severity,
  videoId,
  viewerId,
  details: count > 1 ? { ...details, count } : details,
})

const announcementOf = (
  { accountId, eventType, severity, videoId, viewerId, requestId }: CountedEvent['event'],
  id: number,
) =>
  ({
    accountId,
    requestId,
    type: 'security.event',
    data: {
      id,
      object: 'security_event',
      event_type: eventType,
      severity,
      video_id: videoId,
      viewer_id: viewerId,
    },
  }) as const

/** A row that was inserted or is to be, and the observed events that a batch adds to it. */
export interface TalliedRow {
  event: CountedEvent['event']
  /** Null until it is inserted. */
  id: number | null
  more: number
}

/**
 * Inserts the rows without an id, and sets it; adds to the counts of the others. A row that was deleted meanwhile is
 * inserted again. Returns how many were inserted. Call it in a transaction.
 */
export async function writeEventRows(tx: EntityManager, rows: TalliedRow[]): Promise<number> {
  const known = rows.flatMap(({ id, more }) => (id === null ? [] : [{ id, more }]))
  const changed = new Set<number | null>(await addToSecurityEvents(tx, known))
  const missing = rows.filter(({ id }) => !changed.has(id))
  const ids = await insertEventRows(
    tx,
    missing.map(({ event, more }) => ({ event, count: more })),
  )
  for (const [index, row] of missing.entries()) row.id = Number(ids[index])
  return missing.length
}
