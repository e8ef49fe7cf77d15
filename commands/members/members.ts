import { lockAccount } from '../../db/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import { Member } from '../../db/entities/member.ts'
import {
  countOwners,
  deleteMembership,
  deleteSessionsOf,
  findRole,
  putMembership,
} from '../../db/members.ts'
import type { Role } from '../../domain/roles.ts'
import { Refusal } from '../refusal.ts'

interface MemberOfAccount {
  accountId: number
  memberId: number
}

/** Changes a member's role. Call it in a transaction. Refuses with `member_not_found` and `last_owner`. */
export async function changeRole(
  tx: EntityManager,
  { accountId, memberId }: MemberOfAccount,
  role: Role,
): Promise<void> {
  await lockAccount(tx, accountId)
  if (role !== 'owner') await requireOtherOwner(tx, { accountId, memberId })
  else await requireMember(tx, { accountId, memberId })
  await putMembership(tx, { accountId, memberId, role })
}

/**
 * Takes a member out of an account; its next request is refused. Call it in a transaction. Refuses with
 * `member_not_found` and `last_owner`.
 */
export async function removeMember(tx: EntityManager, member: MemberOfAccount): Promise<void> {
  await lockAccount(tx, member.accountId)
  await requireOtherOwner(tx, member)
  await deleteMembership(tx, member.accountId, member.memberId)
}

/** Replaces a member's password and ends all of the member's sessions but `sessionId`. */
export async function changePassword(
  tx: EntityManager,
  { memberId, sessionId }: { memberId: number; sessionId: number },
  passwordHash: string,
): Promise<void> {
  await tx.nativeUpdate(Member, { id: memberId }, { passwordHash })
  await deleteSessionsOf(tx, memberId, sessionId)
}

/** Refuses a member who is the only owner of the account. */
async function requireOtherOwner(tx: EntityManager, member: MemberOfAccount): Promise<void> {
  const role = await requireMember(tx, member)
  if (role === 'owner' && (await countOwners(tx, member.accountId)) < 2)
    throw new Refusal('last_owner')
}

async function requireMember(
  tx: EntityManager,
  { accountId, memberId }: MemberOfAccount,
): Promise<Role> {
  const role = await findRole(tx, accountId, memberId)
  if (role === null) throw new Refusal('member_not_found')
  return role
}
