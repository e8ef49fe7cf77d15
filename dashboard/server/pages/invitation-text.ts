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
import { describeReplaced, readReplaced, type ReplacedSignIn } from './replaced-sign-in.ts'
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
    const session = await readSession(context, request)
    const em = context.db.em.fork()
    response.json(await describeInvitation(em, texts, invitation, session?.email ?? null))
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

/** Describes an open invitation to a person, who is signed in with an address or has no session. */
async function describeInvitation(
  em: EntityManager,
  texts: PageTexts,
  invitation: Invitation,
  signedInAs: string | null,
) {
  const { accountId, email, grantsOperator } = invitation
  const { name } = orNotFound(await findAccount(em, accountId), 'account_not_found')
  const replaced = signedInAs === null ? await findReplaced(em, invitation) : null
  const text =
    signedInAs !== null
      ? noteToMember(texts, invitation, signedInAs)
      : replaced
        ? texts.invitation.newPassword(isolated(replaced.email))
        : await noteToNewMember(em, texts, invitation)
  const notes = [text, grantsOperator ? texts.invitation.grantsOperator : '']
  return {
    facts: factsOf(texts, invitation, name),
    text: notes.filter((note) => note !== '').join(' '),
    email,
    ...(replaced && { replaced: describeReplaced(texts, replaced) }),
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

/** Finds the sign-in that a link of the operator replaces if it names a member; null for any other link. */
const findReplaced = async (
  em: EntityManager,
  { isFromOperator, email }: Invitation,
): Promise<ReplacedSignIn | null> =>
  isFromOperator && email !== null && (await findMemberByEmail(em, email))
    ? readReplaced(em, email)
    : null

/** What a person without a sign-in does with the link. */
async function noteToNewMember(
  em: EntityManager,
  { invitation: texts }: PageTexts,
  { accountId, role, isFromOperator }: Invitation,
): Promise<string> {
  const isFirst = isFromOperator && role === 'owner' && (await countOwners(em, accountId)) === 0
  return isFirst ? texts.firstOwner : texts.choose
}
