import type { EntityManager } from '../../db/database.ts'
import { SecurityEvent } from '../../db/entities/event.ts'
import type { SecuritySeverity } from '../../domain/events.ts'
import { appendEvent } from '../events.ts'

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

/** Records a security event and announces it as `security.event`, in one transaction; returns its id. */
export async function recordSecurityEvent(
  em: EntityManager,
  { accountId, eventType, severity, videoId, viewerId, details = {} }: NewSecurityEvent,
): Promise<number> {
  return em.transactional(async (tx) => {
    const id: number = await tx.insert(SecurityEvent, {
      accountId,
      eventType,
      severity,
      videoId,
      viewerId,
      details,
    })
    await appendEvent(tx, {
      accountId,
      type: 'security.event',
      data: {
        id,
        object: 'security_event',
        event_type: eventType,
        severity,
        video_id: videoId,
        viewer_id: viewerId,
      },
    })
    return id
  })
}
