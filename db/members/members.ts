import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import { emailForms } from '../../domain/accounts/email-forms.ts'
import type { Role } from '../../domain/accounts/roles.ts'
import type { EntityManager } from '../database.ts'
import { Member, Membership } from '../entities/member.ts'
import { hasPart } from '../has-part.ts'
import { findPage, type Page, type PageRequest } from '../page.ts'
import { queries } from '../queries.ts'

/** A member of an account, as its list of members shows them. */
export interface AccountMember {
  memberId: number
  email: string
  name: string
  role: Role
  joinedAt: Date
  /** The last request of any of the member's sessions; null without a session. */
  lastSeenAt: Date | null
}

/** An account of a member. */
export interface MemberAccount {
  accountId: number
  accountName: string
  role: Role
}

/** The member with this e-mail address (`normalEmail`), or null. */
export const findMemberByEmail = (
  em: EntityManager,
  email: string,
): Promise<Readonly<Member> | null> => em.findOne(Member, { email: { $in: emailForms(email) } })

/** The same, locked until the end of the transaction. The first lock of a transaction (`callers.ts`). */
export const findAndLockMemberByEmail = (
  em: EntityManager,
  email: string,
): Promise<Readonly<Member> | null> =>
  em.findOne(
    Member,
    { email: { $in: emailForms(email) } },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )

/** The member, or null. */
export const findMember = (em: EntityManager, id: number): Promise<Readonly<Member> | null> =>
  em.findOne(Member, { id })

/** The member's role in the account; null if the account has no such member. */
export const findRole = async (
  em: EntityManager,
  accountId: number,
  memberId: number,
): Promise<Role | null> => {
  // No entity: a second read in one transaction would return the role of the first.
  const membership = await queries(em)
    .selectFrom('membership')
    .select('role')
    .where('accountId', '=', accountId)
    .where('memberId', '=', memberId)
    .executeTakeFirst()
  return membership?.role ?? null
}

/** The members of an account in the order in which they joined. */
export const listMembers = (em: EntityManager, accountId: number): Promise<AccountMember[]> =>
  membersOf(em, accountId).orderBy('s.createdAt').orderBy('m.id').execute()

/**
 * A page of the members in that order; `q` is a part of the name or the address. A cursor is the id of a member; one who
 * has left since counts as the beginning.
 */
export const pageMembers = (
  em: EntityManager,
  accountId: number,
  { q }: { q?: string | undefined },
  request: PageRequest<number>,
): Promise<Page<AccountMember>> =>
  findPage(request, ({ direction, cursor, limit }) => {
    // Members who joined later come further on in the list.
    const isForward = direction === 'older'
    const order = isForward ? 'asc' : 'desc'
    let found = membersOf(em, accountId)
    if (q !== undefined) found = found.where(hasPart(['m.name', 'm.email'], q))
    if (cursor !== undefined) {
      const at = sql`from membership where account_id = ${accountId} and member_id = ${cursor}`
      const beyond = isForward ? sql`>` : sql`<`
      found = found.where(
        sql<boolean>`(not exists (select 1 ${at})
          or (s.created_at, m.id) ${beyond} (select created_at, member_id ${at}))`,
      )
    }
    return found.orderBy('s.createdAt', order).orderBy('m.id', order).limit(limit).execute()
  })

/** The member as in the account's list; null if the account has no such member. */
export const findAccountMember = async (
  em: EntityManager,
  accountId: number,
  memberId: number,
): Promise<AccountMember | null> =>
  (await membersOf(em, accountId).where('m.id', '=', memberId).executeTakeFirst()) ?? null

const membersOf = (em: EntityManager, accountId: number) =>
  queries(em)
    .selectFrom('membership as s')
    .innerJoin('member as m', 'm.id', 's.memberId')
    .leftJoin('dashboard_session as d', 'd.memberId', 'm.id')
    .select(({ fn }) => [
      'm.id as memberId',
      'm.email',
      'm.name',
      's.role',
      's.createdAt as joinedAt',
      fn.max('d.lastSeenAt').as('lastSeenAt'),
    ])
    .where('s.accountId', '=', accountId)
    .groupBy(['m.id', 's.role', 's.createdAt'])

/** The accounts of a member, by name. */
export const listAccountsOf = (em: EntityManager, memberId: number): Promise<MemberAccount[]> =>
  queries(em)
    .selectFrom('membership as s')
    .innerJoin('account as a', 'a.id', 's.accountId')
    .select(['a.id as accountId', 'a.name as accountName', 's.role'])
    .where('s.memberId', '=', memberId)
    .orderBy('a.name')
    .orderBy('a.id')
    .execute()

/** How many owners an account has. Lock its memberships first, so that two of them cannot leave at once. */
export const countOwners = (em: EntityManager, accountId: number): Promise<number> =>
  em.count(Membership, { accountId, role: 'owner' })

/**
 * Locks a member until the end of the transaction. False if the password has been changed since it was
 * checked: a change ends the member's sessions, and a new one must not escape it.
 */
export const lockMemberWithPassword = async (
  em: EntityManager,
  id: number,
  passwordHash: string,
): Promise<boolean> => {
  const rows = await queries(em)
    .selectFrom('member')
    .select('id')
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .forShare()
    .execute()
  return rows.length > 0
}

/**
 * Locks a member until the end of the transaction, so that what the member has can be counted and replaced. The first
 * lock of a transaction (`callers.ts`).
 */
export async function lockMember(em: EntityManager, id: number): Promise<void> {
  await queries(em)
    .selectFrom('member')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .execute()
}

/** A member who runs the installation. */
export interface Operator {
  id: number
  email: string
  name: string
  /** Of all accounts of the member, in ascending order. */
  accountIds: number[]
}

/** The operators of the installation, those without an account included, by address. */
export const listOperators = (em: EntityManager): Promise<Operator[]> =>
  queries(em)
    .selectFrom('member as m')
    .select(['m.id', 'm.email', 'm.name'])
    .select(
      sql<number[]>`array(select s.account_id from membership s where s.member_id = m.id
        order by s.account_id)`.as('accountIds'),
    )
    .where('m.isOperator', '=', true)
    .orderBy('m.email')
    .execute()
