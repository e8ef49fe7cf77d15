import type { EntityManager } from '../../db/database.ts'
import { findMember, findRole } from '../../db/members/members.ts'
import type { Actor } from '../../domain/accounts/audit.ts'
import { appendAuditEntry } from '../audit.ts'
import { createInvitation, type InvitationWithToken, type NewInvitation } from './invitations.ts'
import { removeMember } from './members.ts'

// What the operator does without the dashboard, each with its entry in the audit log.

/** Creates an invitation of the operator. */
export const inviteByOperator = (
  em: EntityManager,
  invitation: NewInvitation,
): Promise<InvitationWithToken> =>
  em.transactional(async (tx) => {
    const made = await createInvitation(tx, invitation)
    const { accountId, role, email, grantsOperator = false, by } = invitation
    await appendAuditEntry(tx, accountId, by, {
      action: 'invitation.create',
      subject: String(made.invitation.id),
      before: null,
      after: { role, email, ...(grantsOperator && { grants_operator: true }) },
    })
    return made
  })

/**
 * Takes a member out of an account. An operator stays one. Refuses with `member_not_found` and `last_owner`.
 */
export const removeByOperator = (
  em: EntityManager,
  { accountId, memberId, by }: { accountId: number; memberId: number; by: Actor },
): Promise<{ isOperator: boolean }> =>
  em.transactional(async (tx) => {
    const role = await findRole(tx, accountId, memberId)
    const member = await findMember(tx, memberId)
    await removeMember(tx, { accountId, memberId, by })
    await appendAuditEntry(tx, accountId, by, {
      action: 'member.remove',
      subject: String(memberId),
      before: { email: member?.email, role },
      after: null,
    })
    return { isOperator: member?.isOperator ?? false }
  })
