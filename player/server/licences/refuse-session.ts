import type { Request } from 'express'
import {
  OVER_LIMIT,
  type SessionEvent,
} from '../../../commands/security-events/note-session-event.ts'
import { findProtection } from '../../../db/playback/playback.ts'
import type { ServerContext } from '../deps.ts'
import type { PlayerError } from '../player-error.ts'
import { recordSessionEvent } from '../security-events/record-session-event.ts'
import { sessionEnd, sessionEnded, type SessionResponse } from '../session.ts'

/** A request for keys or a licence: who asks, and where the response goes. */
export interface LicenceExchange {
  context: ServerContext
  request: Request
  response: SessionResponse
}

type Protection = Awaited<ReturnType<typeof findProtection>>

/**
 * Finds why the session gets no keys, records it as a security event and returns the error for the player. `refusalOf`
 * gives the error for a session that is alive, by the protection of its video.
 */
export async function refuseSession(
  { context, request, response }: LicenceExchange,
  refusalOf: (protection: Protection) => PlayerError,
): Promise<PlayerError> {
  const { session } = response.locals
  const em = context.db.em.fork()
  const end = await sessionEnd(em, session)
  const refusal = end ? sessionEnded(end) : refusalOf(await findProtection(em, session.videoId))
  const event: SessionEvent = {
    eventType: 'licence_refused',
    // Sessions often outlive their video or secret. A request for other keys is suspicious.
    severity: end === null || end === 'viewer_revoked' ? 'medium' : 'low',
    details: { reason: refusal.code },
  }
  const isOverLimit = end === 'too_many_streams'
  await recordSessionEvent(context, request, response, isOverLimit ? OVER_LIMIT : event)
  return refusal
}
