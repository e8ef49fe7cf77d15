import { Router } from 'express'
import { findSessionEnd, recordHeartbeat } from '../../db/playback-sessions.ts'
import { readPlaybackReport } from '../../domain/playback-report.ts'
import { SESSION_GRACE_MS, signSession } from '../../security/session-token.ts'
import type { PlayerDeps } from './deps.ts'
import { endOfSession } from './end-of-session.ts'
import { jsonBody } from './json-body.ts'
import { requireSession, sessionKey, sessionOf, userAgentOf } from './session.ts'

/**
 * Heartbeats: they renew the session token, record how far the viewer is, and tell of rungs that
 * were published meanwhile. One statement, unless the session may not go on.
 */
export function sessionRouter(deps: PlayerDeps): Router {
  const router = Router()
  const key = sessionKey(deps.masterKeys)
  const renewable = requireSession(key, SESSION_GRACE_MS)
  router.post('/sessions/heartbeat', renewable, jsonBody(), async (request, response) => {
    const session = sessionOf(response)
    const nowMs = Date.now()
    const report = readPlaybackReport(request.body, nowMs - session.startedAtMs)
    const renditions = await recordHeartbeat(deps.db, session, userAgentOf(request), report)
    if (renditions === null) {
      const end = await findSessionEnd(deps.db.em.fork(), session)
      throw endOfSession(end ?? 'session_ended')
    }
    response.json({ session: signSession(session, key, nowMs), renditions })
  })
  return router
}
