import type { EntityManager } from '../../db/database.ts'
import { listAccountsOf } from '../../db/members/members.ts'
import { deleteInvitationsBy } from '../../db/members/write-invitations.ts'
import type { Actor } from '../../domain/accounts/audit.ts'
import { appendAuditEntry } from '../audit.ts'
import { actorOf, type NamedMember } from './audit-member.ts'

/** Withdraws the open invitations of a member who may no longer invite. Call it in a transaction. */
export async function withdrawInvitationsBy(
  tx: EntityManager,
  { accountId, email, by }: { accountId: number; email: string; by: Actor },
): Promise<void> {
  for (const { id, role, email: invited } of await deleteInvitationsBy(tx, accountId, email))
    await appendAuditEntry(tx, accountId, by, {
      action: 'invitation.withdraw',
      subject: String(id),
      before: { role, email: invited },
      after: null,
    })
}

/**
 * Withdraws the open invitations of a member in all accounts, because another person may have made them with the
 * member's session. Call it in a transaction, once those sessions have ended: one of them may be about to invite.
 */
export async function withdrawAllInvitationsBy(
  tx: EntityManager,
  member: NamedMember,
): Promise<void> {
  for (const { accountId } of await listAccountsOf(tx, member.id))
    await withdrawInvitationsBy(tx, { accountId, email: member.email, by: actorOf(member) })
}
