import { sql } from 'kysely'
import { ROLES, type Role } from '../../domain/accounts/roles.ts'
import type { EntityManager } from '../database.ts'
import { DashboardSession, Member, Membership } from '../entities/member.ts'
import { queries } from '../queries.ts'

/** Adds a member; returns the id. Violates a unique constraint if the address has one already. */
export const insertMember = (
  em: EntityManager,
  member: Pick<Member, 'email' | 'name' | 'passwordHash'>,
): Promise<number> => em.insert(Member, member)

/** Gives a member a role in an account, also in place of another role. */
export async function putMembership(
  em: EntityManager,
  membership: { accountId: number; memberId: number; role: Role },
): Promise<void> {
  await em.upsert(Membership, membership, { onConflictMergeFields: ['role'] })
}

/** Gives a member a role in an account, unless the member has it or a stronger one. */
export async function raiseRole(
  em: EntityManager,
  { accountId, memberId, role }: { accountId: number; memberId: number; role: Role },
): Promise<void> {
  const strengthOf = (column: string) =>
    sql`array_position(array[${sql.join(ROLES)}]::text[], ${sql.ref(column)})`
  await queries(em)
    .insertInto('membership')
    .values({ accountId, memberId, role })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'memberId'])
        .doUpdateSet({ role })
        .where(sql<boolean>`${strengthOf('excluded.role')} < ${strengthOf('membership.role')}`),
    )
    .execute()
}

/** Takes the member out of the account. */
export async function deleteMembership(
  em: EntityManager,
  accountId: number,
  memberId: number,
): Promise<void> {
  await em.nativeDelete(Membership, { accountId, memberId })
}

/** Ends the member's sessions, except the one with `exceptId`. Returns how many ended. */
export const deleteSessionsOf = (
  em: EntityManager,
  memberId: number,
  exceptId?: number,
): Promise<number> =>
  em.nativeDelete(DashboardSession, {
    memberId,
    ...(exceptId === undefined ? {} : { id: { $ne: exceptId } }),
  })

/** Writes whether a member is an operator. False if nothing changed, or the member does not exist. */
export const putOperator = async (
  em: EntityManager,
  id: number,
  isOperator: boolean,
): Promise<boolean> =>
  (await em.nativeUpdate(Member, { id, isOperator: !isOperator }, { isOperator })) > 0

/** Changes the name of a member. */
export async function renameMember(em: EntityManager, id: number, name: string): Promise<void> {
  await em.nativeUpdate(Member, { id }, { name })
}
