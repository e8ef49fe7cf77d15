import { Router, type NextFunction, type Request, type Response } from 'express'
import { readDeepLink } from '../../../domain/playback/embed-url.ts'
import { createAppChallenge } from '../../../security/tokens/app-challenge.ts'
import type { MobileApp, ServerContext } from '../deps.ts'
import { jsonBody } from '../json-body.ts'
import { paths } from '../paths.ts'
import { appError } from './app-errors.ts'
import { openAppSession } from './open-app-session.ts'
import { challengeBody, sessionBody } from './schemas.ts'

/**
 * What the mobile app calls (docs/mobile-app.md): a challenge for the link that has opened it, and then a session
 * for the link, the challenge and an attestation.
 */
export function mobileAppRouter(context: ServerContext): Router {
  const router = Router()
  const json = jsonBody(context.bodies)
  const app = (): MobileApp => {
    if (!context.mobileApp) throw appError('app_playback_off')
    return context.mobileApp
  }

  router.post(paths.appChallenges, noStore, json, (request: Request, response: Response) => {
    app()
    const body = challengeBody.safeParse(request.body)
    if (!body.success) throw appError('invalid_request')
    const { link } = body.data
    if (!readDeepLink(link)) throw appError('invalid_link')
    const { text, expiresAtMs } = createAppChallenge(link, context.challengeKeys, Date.now())
    response.json({ challenge: text, expires_at: new Date(expiresAtMs).toISOString() })
  })

  router.post(paths.appSessions, noStore, json, async (request: Request, response: Response) => {
    const mobileApp = app()
    const body = sessionBody.safeParse(request.body)
    if (!body.success) throw appError('invalid_request')
    response.json(await openAppSession({ ...context, mobileApp }, body.data, response))
  })
  return router
}

function noStore(_request: Request, response: Response, next: NextFunction): void {
  response.set('Cache-Control', 'private, no-store')
  next()
}
