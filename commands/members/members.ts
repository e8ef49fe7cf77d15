import { lockMemberships } from '../../db/accounts/callers.ts'
import type { EntityManager } from '../../db/database.ts'
import { countOwners, findMember, findRole } from '../../db/members/members.ts'
import { deleteMembership, putMembership } from '../../db/members/write-members.ts'
import type { Actor } from '../../domain/accounts/audit.ts'
import type { Role } from '../../domain/accounts/roles.ts'
import { Refusal } from '../refusal.ts'
import { withdrawInvitationsBy } from './withdraw-invitations.ts'

interface MemberOfAccount {
  accountId: number
  memberId: number
}

/** A change of a member, and who makes it. */
interface MemberChange extends MemberOfAccount {
  by: Actor
}

/**
 * Changes a member's role. An owner who becomes another role may no longer invite: the links that the
 * owner made end. Call it in a transaction. Refuses with `member_not_found` and `last_owner`.
 */
export async function changeRole(
  tx: EntityManager,
  { by, ...member }: MemberChange,
  role: Role,
): Promise<void> {
  await lockMemberships(tx, member.accountId)
  if (role === 'owner') await requireMember(tx, member)
  else {
    await requireOtherOwner(tx, member)
    await endInvitationsOf(tx, member, by)
  }
  await putMembership(tx, { ...member, role })
}

/**
 * Takes a member out of an account; its next request is refused, and the links that it made end. Call
 * it in a transaction. Refuses with `member_not_found` and `last_owner`.
 */
export async function removeMember(
  tx: EntityManager,
  { by, ...member }: MemberChange,
): Promise<void> {
  await lockMemberships(tx, member.accountId)
  await requireOtherOwner(tx, member)
  await endInvitationsOf(tx, member, by)
  await deleteMembership(tx, member.accountId, member.memberId)
}

/** Otherwise a member could keep a link and come back as an owner. */
async function endInvitationsOf(
  tx: EntityManager,
  { accountId, memberId }: MemberOfAccount,
  by: Actor,
): Promise<void> {
  const member = await findMember(tx, memberId)
  if (member) await withdrawInvitationsBy(tx, { accountId, email: member.email, by })
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
