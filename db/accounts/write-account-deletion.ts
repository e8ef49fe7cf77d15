import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { ownedBy } from './account-table.ts'
import { ACCOUNT_TABLES } from './account-tables.ts'

/**
 * Marks an account as deleted and ends what its people and programs can do: removes API keys, members and invitations,
 * ends running replays and imports, and invalidates viewer tokens and playback sessions. Call it in a transaction that has locked
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
  await queries(em)
    .updateTable('video_import')
    .set({ state: 'cancelled', sealedAccess: null, completedAt: sql`now()` })
    .where('accountId', '=', id)
    .where((eb) => eb.or([eb('state', '=', 'running'), eb('sealedAccess', 'is not', null)]))
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

/** Deletes up to `limit` rows of an account from a table; returns how many. */
export async function deleteRowsOf(
  em: EntityManager,
  accountId: number,
  table: (typeof ACCOUNT_TABLES)[number],
  limit: number,
): Promise<number> {
  const deleted = await em.execute<unknown[]>(
    // Rows of two partitions may have the same ctid.
    `delete from ${table.name} d using (
       select t.tableoid, t.ctid from ${table.name} t where ${ownedBy(table)} limit ?) as o
     where d.tableoid = o.tableoid and d.ctid = o.ctid returning 1`,
    [accountId, limit],
  )
  return deleted.length
}
