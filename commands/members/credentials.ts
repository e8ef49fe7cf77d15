import type { EntityManager } from '../../db/database.ts'
import { lockMember } from '../../db/members/members.ts'
import { deletePasskeysOf, writePasswordHash } from '../../db/members/write-credentials.ts'
import { rotateSession, type SessionFacts } from '../../db/members/write-dashboard-sessions.ts'
import { deleteSessionsOf } from '../../db/members/write-members.ts'
import { createSecretToken, hashSecretToken } from '../../security/tokens/secret-token.ts'
import { Refusal } from '../refusal.ts'
import { auditMember, type NamedMember } from './audit-member.ts'
import { withdrawAllInvitationsBy } from './withdraw-invitations.ts'

/**
 * Replaces all that a member signs in with by a new password: passkeys are removed, sessions end and open invitations
 * of the member are withdrawn, because they may belong to a person who took the address in advance, or the sign-in
 * later. Every link that sets the password of a member who exists does it by this function. The audit log names what
 * was removed. Call it in a transaction.
 */
export async function replaceCredentials(
  tx: EntityManager,
  member: NamedMember,
  passwordHash: string,
): Promise<void> {
  await lockMember(tx, member.id)
  await writePasswordHash(tx, member.id, passwordHash)
  // Before the sessions: a sign-in with one of the passkeys may be about to start a session.
  const passkeys = await deletePasskeysOf(tx, member.id)
  const sessions = await deleteSessionsOf(tx, member.id)
  await withdrawAllInvitationsBy(tx, member)
  await auditMember(tx, member, {
    action: 'member.replace_credentials',
    before: { passkeys, sessions },
  })
}

/** A change of the own password, from a session. */
interface PasswordChange {
  /** The session of the request, which continues under a new token. The passkey that confirmed it stays. */
  session: Pick<SessionFacts, 'id' | 'elevatedUntil' | 'passkeyId'> & { tokenHash: string }
  removesPasskeys: boolean
}

/**
 * Replaces the own password of a member, ends all other sessions and withdraws the open invitations of the member.
 * Returns a new token for the session that continues: another person may have the one before. Call it in a
 * transaction. Refuses with `not_signed_in` if that was replaced meanwhile.
 */
export async function changePassword(
  tx: EntityManager,
  member: NamedMember,
  passwordHash: string,
  { session, removesPasskeys }: PasswordChange,
): Promise<string> {
  const { id, tokenHash, elevatedUntil, passkeyId } = session
  await lockMember(tx, member.id)
  await writePasswordHash(tx, member.id, passwordHash)
  const passkeys = removesPasskeys ? await deletePasskeysOf(tx, member.id, passkeyId) : []
  await deleteSessionsOf(tx, member.id, id)
  const token = createSecretToken()
  const changes = { tokenHash: hashSecretToken(token), elevatedUntil, passkeyId }
  if (!(await rotateSession(tx, { id, tokenHash }, changes))) throw new Refusal('not_signed_in')
  await withdrawAllInvitationsBy(tx, member)
  await auditMember(tx, member, {
    action: 'member.set_password',
    before: passkeys.length > 0 ? { passkeys } : null,
  })
  return token
}
