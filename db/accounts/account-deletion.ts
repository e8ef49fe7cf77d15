import { sql } from 'kysely'
import { ACCOUNT_TABLES, ownedBy } from './account-tables.ts'
import type { EntityManager } from '../database.ts'
import { Account } from '../entities/account.ts'
import { queries } from '../queries.ts'

/** An account whose deletion has begun, or null. */
export const findDeletedAccount = (em: EntityManager, id: number): Promise<Account | null> =>
  em.findOne(Account, { id, deletedAt: { $ne: null } })

/**
 * Marks an account as deleted and ends what its people and programs can do: removes API keys, members and invitations,
 * ends running replays, and invalidates viewer tokens and playback sessions. Call it in a transaction that has locked
 * the account.
 */
export async function markAccountDeleted(em: EntityManager, id: number): Promise<void> {
  await queries(em)
    .updateTable('account')
    .set((eb) => ({
      deletedAt: sql`now()`,
      signingSecretVersion: eb('signingSecretVersion', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  await queries(em)
    .updateTable('webhook_replay')
    .set({ state: 'cancelled', completedAt: sql`now()` })
    .where('accountId', '=', id)
    .where('state', '=', 'running')
    .execute()
  for (const table of ['api_key', 'invitation'] as const)
    await queries(em).deleteFrom(table).where('accountId', '=', id).execute()
  const members = await queries(em)
    .deleteFrom('membership')
    .where('accountId', '=', id)
    .returning('memberId')
    .execute()
  await deleteMembersWithoutAccount(
    em,
    members.map(({ memberId }) => memberId),
  )
}

/**
 * Deletes those of the members who belong to no account and are no operators, with their sessions and passkeys. Call it
 * in a transaction. Returns how many.
 */
export async function deleteMembersWithoutAccount(
  em: EntityManager,
  ids: number[],
): Promise<number> {
  if (ids.length === 0) return 0
  // The lock keeps an invitation from being accepted until the next statement has looked again.
  await queries(em)
    .selectFrom('member')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  const { numDeletedRows } = await queries(em)
    .deleteFrom('member')
    .where('id', 'in', ids)
    .where('isOperator', '=', false)
    .where(sql<boolean>`not exists (select from membership s where s.member_id = member.id)`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** The active webhook endpoints of an account. */
export async function listEndpointsToDisable(
  em: EntityManager,
  accountId: number,
): Promise<number[]> {
  const rows = await queries(em)
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('accountId', '=', accountId)
    .where('isActive', '=', true)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Up to `limit` videos of an account that are not deleted. */
export const listVideosToDelete = async (
  em: EntityManager,
  accountId: number,
  limit: number,
): Promise<string[]> => {
  const rows = await queries(em)
    .selectFrom('video')
    .select('id')
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** How many videos of an account are not deleted. */
export async function countVideosToDelete(em: EntityManager, accountId: number): Promise<number> {
  const { count } = await queries(em)
    .selectFrom('video')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** How many videos of an account still have objects. */
export async function countUnremovedVideos(em: EntityManager, accountId: number): Promise<number> {
  const { count } = await queries(em)
    .selectFrom('video')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('accountId', '=', accountId)
    .where('removedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Up to `limit` deliveries of an account. */
export async function listDeliveriesOf(
  em: EntityManager,
  accountId: number,
  limit: number,
): Promise<number[]> {
  const rows = await queries(em)
    .selectFrom('webhook_delivery')
    .select('id')
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * The tables of an account in the order of their deletion. Those of members are left out (`markAccountDeleted`), and
 * workflow requests, which the relay removes.
 */
export const TABLES_TO_EMPTY = ACCOUNT_TABLES.filter(
  ({ name, owner }) => owner !== 'member' && name !== 'outbox',
)

/** Deletes up to `limit` rows of an account from a table; returns how many. */
export async function deleteRowsOf(
  em: EntityManager,
  accountId: number,
  table: (typeof ACCOUNT_TABLES)[number],
  limit: number,
): Promise<number> {
  const deleted = await em.execute<unknown[]>(
    `delete from ${table.name} where ctid = any(array(
       select t.ctid from ${table.name} t where ${ownedBy(table)} limit ?)) returning 1`,
    [accountId, limit],
  )
  return deleted.length
}
