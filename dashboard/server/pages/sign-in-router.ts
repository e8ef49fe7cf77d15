import { Router, type Request, type Response } from 'express'
import { normalEmail } from '../../../commands/members/email-address.ts'
import { join, signIn, signOut } from '../../../commands/members/sessions.ts'
import { Refusal } from '../../../commands/refusal.ts'
import { PASSWORD_MAX_LENGTH } from '../../../domain/limits.ts'
import { ApiError } from '../../../http/api-error.ts'
import { browserOf, checkPassword, inTransaction, readSession } from '../auth/authentication.ts'
import { requireSameOrigin } from '../middleware/same-origin.ts'
import { fieldOf, formBody } from './form.ts'
import type { PageContext } from './html-page.ts'
import { localPath } from './local-path.ts'
import { passkeySignInRouter } from './passkey-sign-in-router.ts'
import { sendSignInPage, waitIn } from './sign-in-page.ts'

/** /sign-in and /sign-out. */
export function signInRouter(context: PageContext): Router {
  const router = Router()
  const ownForm = [requireSameOrigin(context.dashboardBase), formBody(context.bodies)]
  router.get('/sign-in', async (request, response) => {
    const next = localPath(request.query.next)
    // `other`: to sign in in place of the member who is signed in.
    const isOther = request.query.other !== undefined
    if (!isOther && (await readSession(context, request))) return response.redirect(303, next)
    const isSignedOut = request.query['signed-out'] !== undefined
    sendSignInPage(response, context, { next, isSignedOut })
  })
  router.post('/sign-in', ownForm, (request: Request, response: Response) =>
    handleSignIn(context, request, response),
  )
  router.use('/sign-in/passkey', passkeySignInRouter(context))
  router.post('/sign-out', ownForm, async (request: Request, response: Response) => {
    const session = await readSession(context, request)
    if (session)
      await inTransaction(context, response, (tx) => signOut(tx, session.memberId, session.id))
    context.cookie.clear(response)
    response.redirect(303, '/sign-in?signed-out')
  })
  return router
}

async function handleSignIn(
  context: PageContext,
  request: Request,
  response: Response,
): Promise<void> {
  const email = normalEmail(fieldOf(request, 'email'))
  const invitation = fieldOf(request, 'invitation')
  const next = localPath(fieldOf(request, 'next'))
  try {
    const { token, accountId } = await signInWith(context, request, response, { email, invitation })
    context.cookie.set(response, token)
    response.redirect(303, accountId === null ? next : `/accounts/${accountId}`)
  } catch (error) {
    const seconds = retryAfterSeconds(error)
    if (seconds === null && !isWrongCredentials(error)) throw error
    if (seconds !== null) response.set('Retry-After', String(seconds))
    response.status(seconds === null ? 401 : 429)
    sendSignInPage(response, context, {
      next,
      invitation,
      email,
      isWrong: seconds === null,
      ...(seconds !== null && {
        alertIn: ({ problems }, language) => problems.tooManyGuesses(waitIn(language, seconds)),
      }),
    })
  }
}

/** Signs in, and joins the account of an invitation if there is one. */
async function signInWith(
  context: PageContext,
  request: Request,
  response: Response,
  { email, invitation }: { email: string; invitation: string },
): Promise<{ token: string; accountId: number | null }> {
  // No password is longer, so a longer text is not worth a hash.
  const password = fieldOf(request, 'password').slice(0, PASSWORD_MAX_LENGTH + 1)
  const browser = await browserOf(context, request)
  const member = await checkPassword(context, { email, password, ip: browser.ip })
  return inTransaction(context, response, async (tx) => ({
    accountId: invitation === '' ? null : await join(tx, invitation, member),
    token: await signIn(tx, member, browser),
  }))
}

const isWrongCredentials = (error: unknown): boolean =>
  (error instanceof ApiError || error instanceof Refusal) && error.code === 'wrong_credentials'

/** The wait of an error that refuses too many guesses; null for another error. */
export const retryAfterSeconds = (error: unknown): number | null =>
  error instanceof ApiError && error.code === 'too_many_guesses'
    ? Number(error.headers['Retry-After'])
    : null
