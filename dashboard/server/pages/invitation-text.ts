import type { Request, Response } from 'express'
import { isForEmail } from '../../../commands/members/invitations.ts'
import { Refusal } from '../../../commands/refusal.ts'
import { findAccount } from '../../../db/accounts/accounts.ts'
import type { EntityManager } from '../../../db/database.ts'
import type { Invitation } from '../../../db/entities/member.ts'
import { findOpenInvitation } from '../../../db/members/invitations.ts'
import { countOwners, findMemberByEmail } from '../../../db/members/members.ts'
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
 * Sends what the page of an invitation shows before it is accepted: the account, the role and who invites, and what the
 * link does; or why it cannot be used, and nothing else. The script of the page asks, because only it knows the token.
 */
export async function sendInvitation(
  context: PageContext,
  request: Request,
  response: Response,
): Promise<void> {
  const { texts, language } = textsFor(request)
  try {
    const invitation = await requireOpenInvitation(context, request, fieldOf(request, 'link'))
    const em = context.db.em.fork()
    const { name } = orNotFound(await findAccount(em, invitation.accountId), 'account_not_found')
    const session = await readSession(context, request)
    const text = session
      ? noteToMember(texts, invitation, session.email)
      : await noteToReader(em, texts, invitation)
    const { email, grantsOperator } = invitation
    const notes = [text, grantsOperator ? texts.invitation.grantsOperator : '']
    response.json({
      facts: factsOf(texts, invitation, name),
      text: notes.filter((note) => note !== '').join(' '),
      email,
    })
  } catch (error) {
    const seconds = retryAfterSeconds(error)
    if (seconds !== null) {
      const text = texts.problems.tooManyGuesses(waitIn(language, seconds))
      return void response.set('Retry-After', String(seconds)).status(429).json({ text })
    }
    if (!(error instanceof Refusal) || error.code !== 'invitation_not_found') throw error
    response.status(404).json(texts.linkInvalid)
  }
}

/** A line of what a link is for. */
interface Fact {
  label: string
  value: string
  detail?: string
}

function factsOf(
  { invitation: texts }: PageTexts,
  { role, invitedBy, isFromOperator }: Invitation,
  account: string,
): Fact[] {
  return [
    { label: texts.account, value: account },
    { label: texts.role, value: texts.roles[role], detail: texts.can[role] },
    { label: texts.by, value: isFromOperator ? texts.operator : invitedBy },
  ]
}

/** What a member who is signed in has to know: whether the link is for another address. */
const noteToMember = ({ problems }: PageTexts, invitation: Invitation, email: string): string =>
  isForEmail(invitation, email) ? '' : problems.emailOfLink

/** What a person without a session does with the link: set a new password, or choose how to sign in. */
async function noteToReader(
  em: EntityManager,
  { invitation: texts }: PageTexts,
  { accountId, role, email, isFromOperator }: Invitation,
): Promise<string> {
  if (!isFromOperator) return texts.choose
  if (email !== null && (await findMemberByEmail(em, email)))
    return texts.newPassword(isolated(email))
  const isFirst = role === 'owner' && (await countOwners(em, accountId)) === 0
  return isFirst ? texts.firstOwner : texts.choose
}
