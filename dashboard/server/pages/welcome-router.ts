import { Router, type Request, type Response } from 'express'
import { isEmail, normalEmail } from '../../../commands/members/email-address.ts'
import { isForEmail } from '../../../commands/members/invitations.ts'
import { joinFromSession, signUp, type Welcome } from '../../../commands/members/sessions.ts'
import { Refusal } from '../../../commands/refusal.ts'
import type { Invitation } from '../../../db/entities/member.ts'
import type { Language } from '../../../domain/language.ts'
import {
  MEMBER_NAME_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '../../../domain/limits.ts'
import { isGuessable } from '../../../security/guessable-password.ts'
import { hashPassword } from '../../../security/password.ts'
import { browserOf, inTransaction, readSession } from '../auth/authentication.ts'
import { refuseWhenBusy } from '../auth/refuse-when-busy.ts'
import { requireSameOrigin } from '../middleware/same-origin.ts'
import { fieldOf, formBody } from './form.ts'
import type { PageContext } from './html-page.ts'
import { requireOpenInvitation, sendInvitation } from './invitation-text.ts'
import { readReplaced } from './replaced-sign-in.ts'
import { sendSignInPage, waitIn } from './sign-in-page.ts'
import { retryAfterSeconds } from './sign-in-router.ts'
import type { PageTexts } from './texts/page-texts.ts'
import { sendJoinPage, sendWelcomePage, type WelcomeProblem } from './welcome-page.ts'

/** /welcome, where an invitation or the owner's link leads. */
export function welcomeRouter(context: PageContext): Router {
  const router = Router()
  const ownForm = [requireSameOrigin(context.dashboardBase), formBody(context.bodies)]
  router.get('/welcome', async (request, response) => {
    const session = await readSession(context, request)
    if (session) sendJoinPage(response, context, { member: session })
    else sendWelcomePage(response, context, {})
  })
  router.post('/welcome', ownForm, (request: Request, response: Response) =>
    handleWelcome(context, request, response),
  )
  router.post('/welcome/invitation', ownForm, (request: Request, response: Response) =>
    sendInvitation(context, request, response),
  )
  router.post('/welcome/join', ownForm, (request: Request, response: Response) =>
    handleJoin(context, request, response),
  )
  return router
}

async function handleJoin(
  context: PageContext,
  request: Request,
  response: Response,
): Promise<void> {
  const link = fieldOf(request, 'link')
  const session = await readSession(context, request)
  const askToSignIn = () => sendSignInPage(response.status(401), context, { invitation: link })
  if (!session) return askToSignIn()
  // Another tab may have signed in another member since the page was opened: who joins must be who it names.
  if (!['', String(session.memberId)].includes(fieldOf(request, 'member')))
    return sendJoinPage(response.status(409), context, { member: session, link })
  await requireOpenInvitation(context, request, link)
  try {
    const accountId = await inTransaction(context, response, (tx) =>
      joinFromSession(tx, link, session),
    )
    response.redirect(303, `/accounts/${accountId}`)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_signed_in') throw error
    askToSignIn()
  }
}

/** What a person has entered on the page. */
interface Entered {
  link: string
  email: string
  name: string
  password: string
  /** The address whose member the person agrees to replace the sign-in of. */
  replaces: string
}

async function handleWelcome(
  context: PageContext,
  request: Request,
  response: Response,
): Promise<void> {
  const entered: Entered = {
    link: fieldOf(request, 'link').trim(),
    email: normalEmail(fieldOf(request, 'email')),
    name: fieldOf(request, 'name').trim(),
    password: fieldOf(request, 'password'),
    replaces: fieldOf(request, 'replaces'),
  }
  const { link, email } = entered
  try {
    const invitation = await requireOpenInvitation(context, request, link)
    const problems = problemsOf(entered, invitation)
    if (problems.length > 0)
      return sendWelcomePage(response.status(422), context, { ...entered, problems })
    const { token, accountId } = await signUpWith(context, request, response, entered)
    context.cookie.set(response, token)
    response.redirect(303, `/accounts/${accountId}`)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'sign_in_to_accept')
      return sendSignInPage(response.status(409), context, { invitation: link, email })
    if (error instanceof Refusal && error.code === 'member_exists') {
      const replaced = await readReplaced(context.db.em.fork(), email)
      return sendWelcomePage(response.status(409), context, { ...entered, replaced })
    }
    const seconds = retryAfterSeconds(error)
    if (seconds === null) throw error
    response.set('Retry-After', String(seconds)).status(429)
    const alertIn = ({ problems }: PageTexts, language: Language) =>
      problems.tooManyGuesses(waitIn(language, seconds))
    sendWelcomePage(response, context, { ...entered, alertIn })
  }
}

async function signUpWith(
  context: PageContext,
  request: Request,
  response: Response,
  { link, email, name, password, replaces }: Entered,
): Promise<Welcome> {
  const passwordHash = await refuseWhenBusy(() => hashPassword(password))
  const browser = await browserOf(context, request)
  return inTransaction(context, response, (tx) =>
    signUp(tx, link, { email, name, passwordHash, replacesMember: replaces === email }, browser),
  )
}

function problemsOf(
  { email, name, password }: Entered,
  invitation: Pick<Invitation, 'email'>,
): WelcomeProblem[] {
  const problems: WelcomeProblem[] = []
  if (!isEmail(email)) problems.push('email')
  else if (!isForEmail(invitation, email)) problems.push('emailOfLink')
  if (name === '' || name.length > MEMBER_NAME_MAX_LENGTH) problems.push('name')
  if (password.length < PASSWORD_MIN_LENGTH || password.length > PASSWORD_MAX_LENGTH)
    problems.push('passwordLength')
  else if (isGuessable(password, email)) problems.push('passwordGuessable')
  return problems
}
