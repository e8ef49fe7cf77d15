import { Router } from 'express'
import { z } from 'zod'
import { signInWithPasskey } from '../../../commands/members/sessions.ts'
import { PASSKEY_BODY_MAX_BYTES } from '../../../domain/limits.ts'
import { ApiError } from '../../../http/api-error.ts'
import { errorHandler } from '../../../http/middleware/error-handler.ts'
import { jsonBody } from '../../../http/middleware/json-body.ts'
import { networkOwnersOf } from '../../../processes/bodies/network-owners.ts'
import { browserOf, inTransaction, ipOf } from '../auth/authentication.ts'
import { authenticationResponse } from '../auth/passkey-responses.ts'
import { requireSameOrigin } from '../middleware/same-origin.ts'
import type { PageContext } from './html-page.ts'
import { localPath } from './local-path.ts'

const signInBody = authenticationResponse.extend({ next: z.unknown().optional() })

/** What the script of the sign-in page calls; responses are JSON. */
export function passkeySignInRouter(context: PageContext): Router {
  const { bodies, passkeys, guesses, cookie } = context
  const body = jsonBody({ bodies, ownersOf: networkOwnersOf }, PASSKEY_BODY_MAX_BYTES)
  const router = Router()
  router.use(requireSameOrigin(context.dashboardBase), body)
  router.post('/challenge', async (request, response) => {
    await guesses.countChallenge(ipOf(request))
    response.json(await passkeys.challengeToUse(null))
  })
  router.post('/', async (request, response) => {
    const guess = { ip: ipOf(request), email: null }
    await guesses.count(guess)
    const sent = signInBody.safeParse(request.body)
    if (!sent.success) throw new ApiError('wrong_credentials')
    const used = await passkeys.checkUsed(null, sent.data)
    const browser = await browserOf(context, request)
    const token = await inTransaction(context, response, (tx) =>
      signInWithPasskey(tx, used, browser),
    )
    await guesses.accept(guess)
    cookie.set(response, token)
    response.json({ location: localPath(sent.data.next) })
  })
  router.use(errorHandler(context))
  return router
}
