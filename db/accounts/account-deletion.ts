import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { Account } from '../entities/account.ts'
import { queries } from '../queries.ts'
import { ACCOUNT_TABLES } from './account-tables.ts'

/** An account whose deletion has begun, or null. */
export const findDeletedAccount = (em: EntityManager, id: number): Promise<Account | null> =>
  em.findOne(Account, { id, deletedAt: { $ne: null } })

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
