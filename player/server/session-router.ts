import { Router } from 'express'
import { countRenditions, touchSession } from '../../db/playback.ts'
import { signSession } from '../../security/session-token.ts'
import type { PlayerDeps } from './deps.ts'
import { PlayerError } from './player-error.ts'
import { requireSession, sessionKey, sessionOf } from './session.ts'

/** Heartbeats renew the session token, and tell of rungs that were published meanwhile. */
export function sessionRouter(deps: PlayerDeps): Router {
  const router = Router()
  const key = sessionKey(deps.masterKeys)
  router.post('/sessions/heartbeat', requireSession(key), async (_request, response) => {
    const session = sessionOf(response)
    const em = deps.db.em.fork()
    if (!(await touchSession(em, session)))
      throw new PlayerError(403, 'session_ended', 'This playback may not go on.')
    const renditions = await countRenditions(em, session.videoId)
    response.json({ session: signSession(session, key, Date.now()), renditions })
  })
  return router
}
