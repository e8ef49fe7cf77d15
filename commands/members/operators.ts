import type { EntityManager } from '../../db/database.ts'
import { findMember } from '../../db/members/members.ts'
import { putOperator } from '../../db/members/write-members.ts'
import type { Actor } from '../../domain/accounts/audit.ts'
import { Refusal } from '../refusal.ts'
import { auditMember, type NamedMember } from './audit-member.ts'

interface OperatorChange {
  isOperator: boolean
  by: Actor
}

/**
 * Makes a member an operator of the installation, or takes that away, with an entry in the audit log of each of the
 * member's accounts. Call it in a transaction. Without a change it writes nothing.
 */
export async function setOperator(
  tx: EntityManager,
  member: NamedMember,
  { isOperator, by }: OperatorChange,
): Promise<void> {
  if (!(await putOperator(tx, member.id, isOperator))) return
  await auditMember(tx, member, {
    action: isOperator ? 'member.grant_operator' : 'member.revoke_operator',
    by,
    before: { is_operator: !isOperator },
    after: { is_operator: isOperator },
  })
}

/** The same for the member with an id. Returns the member. Refuses with `member_not_found`. */
export const setOperatorById = (
  em: EntityManager,
  memberId: number,
  change: OperatorChange,
): Promise<NamedMember> =>
  em.transactional(async (tx) => {
    const member = await findMember(tx, memberId)
    if (!member) throw new Refusal('member_not_found', { message: 'There is no such member.' })
    await setOperator(tx, member, change)
    return member
  })
