import type { EntityManager } from '../../db/database.ts'
import { addSessionNote, endSession } from '../../db/playback-sessions.ts'
import { giveUpLease } from '../../db/stream-leases.ts'
import { OVER_LIMIT_EVENT } from '../../domain/concurrent-plays.ts'
import type { SecuritySeverity } from '../../domain/events.ts'
import type { PlaybackSession } from '../../domain/playback-session.ts'
import { recordSecurityEvent } from './record-security-event.ts'

export interface SessionEvent {
  eventType: string
  severity: SecuritySeverity
  /** No secrets and no tokens. */
  details: Record<string, string>
}

/** The session has asked for a key, a licence or a renewal, but other plays of its viewer have all the leases. */
export const OVER_LIMIT: SessionEvent = {
  eventType: OVER_LIMIT_EVENT,
  severity: 'low',
  details: {},
}

/**
 * Records a security event of a playback session, once for each session, type and details; a repeat
 * changes nothing.
 */
export async function recordSessionEvent(
  em: EntityManager,
  session: PlaybackSession,
  userAgent: string | null,
  event: SessionEvent,
): Promise<void> {
  const note = [event.eventType, ...Object.values(event.details)].join(':')
  const { accountId, videoId, viewerId } = session
  await em.transactional(async (tx) => {
    if (await addSessionNote(tx, session, userAgent, note))
      await recordSecurityEvent(tx, { ...event, accountId, videoId, viewerId })
  })
}

/**
 * Records an incident that the player reports. `stopped` means that the player has given up playback:
 * the session then gets no more keys and no more renewals.
 */
export async function recordIncident(
  em: EntityManager,
  session: PlaybackSession,
  userAgent: string | null,
  { kind, how, stopped }: { kind: 'watermark_tampered'; how: string; stopped: boolean },
): Promise<void> {
  await em.transactional(async (tx) => {
    if (stopped) await giveUpLease(tx, session)
    const event: SessionEvent = { eventType: kind, severity: 'high', details: { how } }
    await recordSessionEvent(tx, session, userAgent, event)
    if (stopped) await endSession(tx, session.sessionId)
  })
}
