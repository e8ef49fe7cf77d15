import { Router } from 'express'
import { z } from 'zod'
import { recordIncident } from '../../commands/security-events/record-session-event.ts'
import { forkForRequest } from '../../db/request-of-work.ts'
import { requestIdOf } from '../../processes/request-log.ts'
import type { PlayerDeps } from './deps.ts'
import { jsonBody } from './json-body.ts'
import { PlayerError } from './player-error.ts'
import { requireSession, sessionKey, sessionOf, userAgentOf } from './session.ts'

const incident = z.strictObject({
  kind: z.literal('watermark_tampered'),
  how: z.enum(['removed', 'hidden', 'restyled', 'covered', 'picture_in_picture', 'moved']),
  /** The player gave playback up: the session is given no key and no renewal any more. */
  stopped: z.boolean().default(false),
})

/** What the player noticed in the page: a security event, at most one a session and way. */
export function incidentRouter(deps: PlayerDeps): Router {
  const router = Router()
  const session = requireSession(sessionKey(deps.masterKeys))
  router.post('/sessions/incidents', session, jsonBody(), async (request, response) => {
    const told = incident.safeParse(request.body)
    if (!told.success)
      throw new PlayerError(400, 'invalid_incident', 'The body does not describe a known incident.')
    const em = forkForRequest(deps.db, requestIdOf(response))
    await recordIncident(em, sessionOf(response), userAgentOf(request), told.data)
    response.status(204).end()
  })
  return router
}
