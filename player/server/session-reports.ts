import type { Request } from 'express'
import { z } from 'zod'
import { recordIncident } from '../../commands/security-events/record-session-event.ts'
import { findSessionEnd, recordHeartbeat } from '../../db/playback-sessions.ts'
import { forkForRequest } from '../../db/database.ts'
import { readPlaybackReport } from '../../domain/playback-session.ts'
import { requestIdOf } from '../../processes/request-log.ts'
import { signSession } from '../../security/session-token.ts'
import type { ServerContext } from './deps.ts'
import { PlayerError } from './player-error.ts'
import { sessionEnded, userAgentOf } from './session.ts'
import type { SessionResponse } from './session.ts'

const incidentBody = z.strictObject({
  kind: z.literal('watermark_tampered'),
  how: z.enum(['removed', 'hidden', 'restyled', 'covered', 'picture_in_picture', 'moved']),
  /** True if the player has stopped playback. The session then gets no more keys and renewals. */
  stopped: z.boolean().default(false),
})

/** What a player reports about its session: heartbeats and incidents. */
export function reportHandlers({ db, sessionKey }: ServerContext) {
  return {
    /**
     * Renews the session token, records the position and returns the current number of renditions.
     * One statement, unless the session may not continue.
     */
    heartbeat: async (request: Request, response: SessionResponse): Promise<void> => {
      const { session } = response.locals
      const nowMs = Date.now()
      const report = readPlaybackReport(request.body, nowMs - session.startedAtMs)
      const renditions = await recordHeartbeat(db, session, userAgentOf(request), report)
      if (renditions === null) {
        const end = await findSessionEnd(db.em.fork(), session)
        throw sessionEnded(end ?? 'session_ended')
      }
      response.json({ session: signSession(session, sessionKey, nowMs), renditions })
    },

    /** Records tampering as a security event, at most one for each session and way. */
    incident: async (request: Request, response: SessionResponse): Promise<void> => {
      const body = incidentBody.safeParse(request.body)
      if (!body.success)
        throw new PlayerError(
          400,
          'invalid_incident',
          'The body does not describe a known incident.',
        )
      const em = forkForRequest(db, requestIdOf(response))
      await recordIncident(em, response.locals.session, userAgentOf(request), body.data)
      response.status(204).end()
    },
  }
}
