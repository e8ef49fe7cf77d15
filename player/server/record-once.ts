import { recordSecurityEvent } from '../../commands/security-events/record-security-event.ts'
import { noteOnce } from '../../db/playback-sessions.ts'
import { forkForRequest } from '../../db/request-of-work.ts'
import type { SecuritySeverity } from '../../domain/events.ts'
import type { PlaybackSession } from '../../domain/playback-session.ts'
import type { PlayerDeps } from './deps.ts'

interface SessionEvent {
  eventType: string
  severity: SecuritySeverity
  /** Contains no secrets and no tokens. */
  details: Record<string, string>
}

/** Records a security event of a session, once for each type and details. */
export async function recordOnce(
  { db }: PlayerDeps,
  requestId: string,
  session: PlaybackSession,
  userAgent: string | null,
  event: SessionEvent,
): Promise<void> {
  const note = [event.eventType, ...Object.values(event.details)].join(':')
  const { accountId, videoId, viewerId } = session
  await forkForRequest(db, requestId).transactional(async (tx) => {
    if (await noteOnce(tx, session, userAgent, note))
      await recordSecurityEvent(tx, { ...event, accountId, videoId, viewerId })
  })
}
