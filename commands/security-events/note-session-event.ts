import type { EntityManager } from '../../db/database.ts'
import { addSessionNote, endSession } from '../../db/playback/write-playback-sessions.ts'
import { giveUpLease } from '../../db/playback/write-stream-leases.ts'
import { OVER_LIMIT_EVENT } from '../../domain/playback/concurrent-plays.ts'
import type { PlaybackSession } from '../../domain/playback/playback-session.ts'
import type { SecuritySeverity } from '../../domain/webhooks/events.ts'

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
 * Notes an event of a playback session, which is inserted if it has no row yet. Resolves to false if the session has a
 * note of the same type and details.
 */
export const noteSessionEvent = (
  em: EntityManager,
  session: PlaybackSession,
  userAgent: string | null,
  { eventType, details }: SessionEvent,
): Promise<boolean> =>
  addSessionNote(em, session, userAgent, [eventType, ...Object.values(details)].join(':'))

/** An incident that the player reports. */
export interface Incident {
  kind: 'watermark_tampered'
  how: string
  /** True if the player has given up playback: the session then gets no more keys and no more renewals. */
  stopped: boolean
}

/** The security event of an incident. */
export const eventOfIncident = ({ kind, how }: Incident): SessionEvent => ({
  eventType: kind,
  severity: 'high',
  details: { how },
})

/** Notes an incident as `noteSessionEvent` does, and ends the session if the player has stopped. Call it in a transaction. */
export async function noteIncident(
  tx: EntityManager,
  session: PlaybackSession,
  userAgent: string | null,
  incident: Incident,
): Promise<boolean> {
  if (incident.stopped) await giveUpLease(tx, session)
  const isNew = await noteSessionEvent(tx, session, userAgent, eventOfIncident(incident))
  if (incident.stopped) await endSession(tx, session.sessionId)
  return isNew
}
