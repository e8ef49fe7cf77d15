import type { EntityManager } from '../../db/database.ts'
import type { SecuritySeverity } from '../../domain/events.ts'
import { appendEvent } from '../events.ts'

export interface NewSecurityEvent {
  accountId: number
  /** Such as `viewer_token_required` (spec, "Other records"). */
  eventType: string
  severity: SecuritySeverity
  videoId: string | null
  viewerId: string | null
  /** No secrets and no tokens. */
  details?: Record<string, unknown>
}

/** Records a security event and announces it as `security.event`, in one transaction; returns its id. */
export async function recordSecurityEvent(
  em: EntityManager,
  event: NewSecurityEvent,
): Promise<number> {
  return em.transactional(async (tx) => {
    const rows = await tx.execute<{ id: number }[]>(
      `insert into security_event (account_id, event_type, severity, video_id, viewer_id, details)
       values (?, ?, ?, ?, ?, ?::jsonb) returning id`,
      [
        event.accountId,
        event.eventType,
        event.severity,
        event.videoId,
        event.viewerId,
        JSON.stringify(event.details ?? {}),
      ],
    )
    const id = rows[0]?.id ?? 0
    await appendEvent(tx, {
      accountId: event.accountId,
      type: 'security.event',
      data: {
        id,
        object: 'security_event',
        event_type: event.eventType,
        severity: event.severity,
        video_id: event.videoId,
        viewer_id: event.viewerId,
      },
    })
    return id
  })
}
