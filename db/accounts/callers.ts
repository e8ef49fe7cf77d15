import { sql } from 'kysely'
import type { Role } from '../../domain/accounts/roles.ts'
import type { EntityManager } from '../database.ts'
import { isUnended } from '../members/dashboard-sessions.ts'
import { queries } from '../queries.ts'

// What a caller may do is read in the transaction that writes, and held until its end. A transaction that
// takes a right away therefore waits for the writes that have begun, and all later ones are refused.
//
// All transactions take these locks in one order, before any other, so that none waits for one that waits for it:
// member, membership, session, API key, then the account and everything else.

/** A dashboard session that a request came with, in one account. */
export interface SessionOfCaller {
  sessionId: number
  /** Of the token that the request carries. */
  tokenHash: string
  memberId: number
  accountId: number
}

/**
 * Returns the role of a member and whether the member is an operator, and keeps both and the session from changing
 * until the end of the transaction. Null if the session has ended or has another token by now, or the account has no
 * such member. A session has FOR KEY SHARE, which only its end and a new token wait for, not the note of its last request. `isForOperators`
 * holds the right of an operator too.
 */
export async function holdSession(
  em: EntityManager,
  { sessionId, tokenHash, memberId, accountId }: SessionOfCaller,
  { now, isForOperators }: { now: Date; isForOperators: boolean },
): Promise<{ role: Role; isOperator: boolean } | null> {
  const held = await queries(em)
    .selectFrom('member as m')
    .innerJoin('membership as s', 's.memberId', 'm.id')
    .innerJoin('dashboard_session as d', 'd.memberId', 'm.id')
    .select(['s.role', 'm.isOperator'])
    .where('m.id', '=', memberId)
    .where('s.accountId', '=', accountId)
    .where('d.id', '=', sessionId)
    .where('d.tokenHash', '=', tokenHash)
    .where(isUnended(now))
    .$if(isForOperators, (query) => query.forShare('m'))
    .forShare('s')
    .forKeyShare('d')
    .executeTakeFirst()
  return held ?? null
}

/** Keeps a session from ending until the end of the transaction. False if it has ended. */
export async function holdOwnSession(
  em: EntityManager,
  { sessionId, memberId }: Pick<SessionOfCaller, 'sessionId' | 'memberId'>,
  now: Date,
): Promise<boolean> {
  const held = await queries(em)
    .selectFrom('dashboard_session as d')
    .select('d.id')
    .where('d.id', '=', sessionId)
    .where('d.memberId', '=', memberId)
    .where(isUnended(now))
    .forKeyShare()
    .executeTakeFirst()
  return held !== undefined
}

/**
 * Keeps an API key from being revoked until the end of the transaction. False if it is revoked. FOR SHARE, because a
 * revocation changes no key column, so FOR KEY SHARE would not make it wait. Requests of the key do not wait for each
 * other: they count in `api_key_rate`, whose foreign key takes FOR KEY SHARE, and nothing else changes the row.
 */
export async function holdKey(em: EntityManager, keyId: number): Promise<boolean> {
  const held = await queries(em)
    .selectFrom('api_key')
    .select('id')
    .where('id', '=', keyId)
    .where('revokedAt', 'is', null)
    .forShare()
    .executeTakeFirst()
  return held !== undefined
}

/** Locks all memberships of an account until the end of the transaction, so that roles can be changed and counted. */
export async function lockMemberships(em: EntityManager, accountId: number): Promise<void> {
  await queries(em)
    .selectFrom('membership')
    .select('memberId')
    .where('accountId', '=', accountId)
    .orderBy('memberId')
    .forUpdate()
    .execute()
}

/** Locks all that can write to an account until the end of the transaction: its members and API keys. */
export async function lockCallers(em: EntityManager, accountId: number): Promise<void> {
  await queries(em)
    .selectFrom('member')
    .select('id')
    .where(
      sql<boolean>`exists (select from membership s
        where s.member_id = member.id and s.account_id = ${accountId})`,
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  await lockMemberships(em, accountId)
  await queries(em)
    .selectFrom('api_key')
    .select('id')
    .where('accountId', '=', accountId)
    .orderBy('id')
    .forUpdate()
    .execute()
}
