import type { Request, Response } from 'express'
import { isForEmail } from '../../../commands/members/invitations.ts'
import { Refusal } from '../../../commands/refusal.ts'
import { findAccount } from '../../../db/accounts/accounts.ts'
import type { Invitation } from '../../../db/entities/member.ts'
import { findOpenInvitation } from '../../../db/members/invitations.ts'
import { orNotFound } from '../../../http/api-error.ts'
import { hashSecretToken } from '../../../security/tokens/secret-token.ts'
import { ipOf, readSession } from '../auth/authentication.ts'
import { fieldOf } from './form.ts'
import { isolated, textsFor, type PageContext } from './html-page.ts'
import { waitIn } from './sign-in-page.ts'
import { retryAfterSeconds } from './sign-in-router.ts'
import type { PageTexts } from './texts/page-texts.ts'

/**
 * Finds an invitation before a password is hashed for it, within the limit of guesses. Refuses with
 * `invitation_not_found`.
 */
export async function requireOpenInvitation(
  { db, guesses }: PageContext,
  request: Request,
  link: string,
): Promise<Invitation> {
  const guess = { ip: ipOf(request), email: null }
  await guesses.count(guess)
  const invitation = await findOpenInvitation(db.em.fork(), hashSecretToken(link), new Date())
  if (!invitation) throw new Refusal('invitation_not_found')
  await guesses.accept(guess)
  return invitation
}

/**
 * Sends what the page of an invitation shows before it is accepted: who invites whom, to which account and with which
 * role; or why the link cannot be used. The script of the page asks, because only it knows the token.
 */
export async function sendInvitation(
  context: PageContext,
  request: Request,
  response: Response,
): Promise<void> {
  const { texts, language } = textsFor(request)
  try {
    const invitation = await requireOpenInvitation(context, request, fieldOf(request, 'link'))
    const account = await findAccount(context.db.em.fork(), invitation.accountId)
    const { name } = orNotFound(account, 'account_not_found')
    const session = await readSession(context, request)
    const isForOther = session !== null && !isForEmail(invitation, session.email)
    const text = textOf(texts, invitation, name)
    response.json({
      text: isForOther ? `${text} ${texts.problems.emailOfLink}` : text,
      email: invitation.email,
    })
  } catch (error) {
    const seconds = retryAfterSeconds(error)
    if (seconds !== null) {
      const text = texts.problems.tooManyGuesses(waitIn(language, seconds))
      return void response.set('Retry-After', String(seconds)).status(429).json({ text })
    }
    if (!(error instanceof Refusal) || error.code !== 'invitation_not_found') throw error
    response.status(404).json({ text: `${texts.linkInvalid.title}. ${texts.linkInvalid.text}` })
  }
}

function textOf(
  { invitation: texts }: PageTexts,
  { role, invitedBy, isFromOperator, grantsOperator }: Invitation,
  accountName: string,
): string {
  const [account, roleName] = [isolated(accountName), texts.roles[role]]
  const text = isFromOperator
    ? texts.byOperator(account, roleName)
    : texts.byMember(isolated(invitedBy), account, roleName)
  return grantsOperator ? `${text} ${texts.grantsOperator}` : text
}
