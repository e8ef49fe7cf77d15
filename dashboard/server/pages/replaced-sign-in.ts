import type { EntityManager } from '../../../db/database.ts'
import { listSessionsOf } from '../../../db/members/dashboard-sessions.ts'
import { findMemberByEmail, listAccountsOf } from '../../../db/members/members.ts'
import { countPasskeys } from '../../../db/members/passkeys.ts'
import { orNotFound } from '../../../http/api-error.ts'
import { isolated } from './html-page.ts'
import type { PageTexts } from './texts/page-texts.ts'

/** The sign-in of a member that a link of the operator replaces. */
export interface ReplacedSignIn {
  email: string
  /** The names of the member's accounts. */
  accounts: string[]
  /** How many there are. */
  passkeys: number
  sessions: number
}

/** Reads what a way back in ends. Only for the reader of a link that may do so. */
export async function readReplaced(em: EntityManager, email: string): Promise<ReplacedSignIn> {
  const { id } = orNotFound(await findMemberByEmail(em, email), 'invitation_not_found')
  const [accounts, passkeys, sessions] = [
    await listAccountsOf(em, id),
    await countPasskeys(em, id),
    await listSessionsOf(em, id, new Date()),
  ]
  return {
    email,
    accounts: accounts.map(({ accountName }) => accountName),
    passkeys,
    sessions: sessions.length,
  }
}

/** Says what a new password ends: a text, a line for each, and the label of the button that agrees. */
export function describeReplaced(
  { replaced: texts }: PageTexts,
  { email, accounts, passkeys, sessions }: ReplacedSignIn,
): { text: string; lines: string[]; submit: string } {
  const lines = [texts.passkeys(passkeys), texts.sessions(sessions)]
  if (accounts.length > 0) lines.push(texts.accounts(accounts.map(isolated).join(', ')))
  return { text: texts.text(isolated(email)), lines, submit: texts.submit }
}
