import { holdOwnSession } from '../../db/accounts/callers.ts'
import type { EntityManager } from '../../db/database.ts'
import { lockMember, lockMemberWithPassword } from '../../db/members/members.ts'
import {
  deleteSession,
  insertSession,
  rotateSession,
} from '../../db/members/write-dashboard-sessions.ts'
import { deleteSessionsOf } from '../../db/members/write-members.ts'
import { ELEVATION_MS } from '../../domain/limits.ts'
import { createSecretToken, hashSecretToken } from '../../security/tokens/secret-token.ts'
import { appendAuditEntry } from '../audit.ts'
import { Refusal } from '../refusal.ts'
import { actorOf, auditMember, type NamedMember } from './audit-member.ts'
import { acceptInvitation, joinAccount, type Acceptance } from './invitations.ts'
import { usePasskey, type UsedPasskey } from './passkeys.ts'

/** Where a session is started. */
export interface Browser {
  ip: string
  agent: string
  /** The session that the browser has already; it ends. */
  session: { id: number; memberId: number } | null
}

/** The account that a link has opened, and the token of the new session. */
export interface Welcome {
  token: string
  accountId: number
}

/**
 * Starts a session for a member whose password was checked; returns its token. Call it in a transaction.
 * Refuses with `wrong_credentials` if the password has been changed since.
 */
export async function signIn(
  tx: EntityManager,
  member: NamedMember & { passwordHash: string },
  browser: Browser,
): Promise<string> {
  if (!(await lockMemberWithPassword(tx, member.id, member.passwordHash)))
    throw new Refusal('wrong_credentials')
  await auditMember(tx, member, { action: 'member.sign_in' })
  return startSession(tx, member.id, browser)
}

/**
 * Starts a session for a member whose passkey was checked; returns its token. Call it in a transaction.
 * Refuses with `passkey_not_found` if the passkey has been deleted since.
 */
export async function signInWithPasskey(
  tx: EntityManager,
  used: UsedPasskey,
  browser: Browser,
): Promise<string> {
  await lockMember(tx, used.memberId)
  const member = await usePasskey(tx, used)
  await auditMember(tx, member, { action: 'member.sign_in' })
  return startSession(tx, member.id, browser, used.id)
}

/**
 * Uses an invitation and starts a session. Call it in a transaction. Refuses as `acceptInvitation` does.
 */
export async function signUp(
  tx: EntityManager,
  link: string,
  person: Acceptance,
  browser: Browser,
): Promise<Welcome> {
  const { memberId, invitation } = await acceptInvitation(tx, link, person)
  const member = { id: memberId, email: person.email }
  await auditAcceptance(tx, member, invitation)
  return { token: await startSession(tx, memberId, browser), accountId: invitation.accountId }
}

/** Uses an invitation for a signed-in member; returns the account. Refuses also with `not_signed_in`. */
export async function joinFromSession(
  tx: EntityManager,
  link: string,
  session: { id: number; memberId: number; email: string },
): Promise<number> {
  const { id: sessionId, memberId, email } = session
  await lockMember(tx, memberId)
  if (!(await holdOwnSession(tx, { sessionId, memberId }, new Date())))
    throw new Refusal('not_signed_in')
  return join(tx, link, { id: memberId, email })
}

/**
 * Uses an invitation for a member who has just signed in; returns the account. Refuses with `invitation_not_found`.
 */
export async function join(tx: EntityManager, link: string, member: NamedMember): Promise<number> {
  const invitation = await joinAccount(tx, link, member)
  await auditAcceptance(tx, member, invitation)
  return invitation.accountId
}

/** Ends the session of a member who signs out. */
export async function signOut(tx: EntityManager, memberId: number, id: number): Promise<void> {
  await deleteSession(tx, memberId, id)
}

/** Ends a session of a member. Refuses with `session_not_found`. */
export async function revokeSession(
  tx: EntityManager,
  member: NamedMember,
  id: number,
): Promise<void> {
  if (!(await deleteSession(tx, member.id, id))) throw new Refusal('session_not_found')
  await auditMember(tx, member, { action: 'session.revoke', subject: String(id) })
}

/** Ends all sessions of a member but `keptId`; returns how many. */
export async function revokeOtherSessions(
  tx: EntityManager,
  member: NamedMember,
  keptId: number,
): Promise<number> {
  const ended = await deleteSessionsOf(tx, member.id, keptId)
  if (ended > 0)
    await auditMember(tx, member, { action: 'session.revoke_others', after: { ended } })
  return ended
}

/**
 * Notes fresh authentication, by a passkey or else by the password, and replaces the token of a session. Refuses
 * with `not_signed_in` if the session has ended or its token was replaced meanwhile.
 */
export async function elevateSession(
  tx: EntityManager,
  session: { id: number; tokenHash: string },
  passkeyId: string | null = null,
): Promise<{ token: string; elevatedUntil: Date }> {
  const token = createSecretToken()
  const elevatedUntil = new Date(Date.now() + ELEVATION_MS)
  const changes = { tokenHash: hashSecretToken(token), elevatedUntil, passkeyId }
  if (!(await rotateSession(tx, session, changes))) throw new Refusal('not_signed_in')
  return { token, elevatedUntil }
}

const AGENT_MAX_LENGTH = 255

async function startSession(
  tx: EntityManager,
  memberId: number,
  { ip, agent, session }: Browser,
  passkeyId: string | null = null,
): Promise<string> {
  if (session) await deleteSession(tx, session.memberId, session.id)
  const token = createSecretToken()
  await insertSession(tx, {
    tokenHash: hashSecretToken(token),
    memberId,
    ip,
    agent: agent.slice(0, AGENT_MAX_LENGTH),
    elevatedUntil: new Date(Date.now() + ELEVATION_MS),
    passkeyId,
  })
  return token
}

const auditAcceptance = (
  tx: EntityManager,
  member: NamedMember,
  { id, accountId, role }: { id: number; accountId: number; role: string },
): Promise<void> =>
  appendAuditEntry(tx, accountId, actorOf(member), {
    action: 'invitation.accept',
    subject: String(id),
    before: null,
    after: { email: member.email, role },
  })
