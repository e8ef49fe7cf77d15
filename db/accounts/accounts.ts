import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import { isPlanActive } from '../../domain/accounts/plan.ts'
import type { EntityManager } from '../database.ts'
import { Account, DrmDevice, Plan, RevokedViewer } from '../entities/account.ts'
import { given } from '../page.ts'
import { queries } from '../queries.ts'

/** The account, or null; also null once its deletion has begun. */
export const findAccount = (em: EntityManager, id: number): Promise<Account | null> =>
  em.findOne(Account, { id, deletedAt: null })

/** The account's plan, active or not; null for an account that never had one. */
export const findPlan = (em: EntityManager, accountId: number): Promise<Plan | null> =>
  em.findOne(Plan, { accountId })

/** The plan if it is in force at `now`; null when it was deactivated or has ended. */
export async function findActivePlan(
  em: EntityManager,
  accountId: number,
  now: Date,
): Promise<Plan | null> {
  const plan = await findPlan(em, accountId)
  return plan && isPlanActive(plan, now) ? plan : null
}

/**
 * Bytes that the account may still store: the limit of its plan, less what its videos and captions hold and what
 * running ingests have reserved. Infinity when the plan has no limit.
 */
export async function availableStorageBytes(em: EntityManager, plan: Plan): Promise<number> {
  if (plan.storageLimitBytes === null) return Infinity
  const { usedBytes, reservedBytes } = await readStorage(em, plan.accountId)
  return Math.max(0, plan.storageLimitBytes - usedBytes - reservedBytes)
}

/** Bytes that the account's videos and their captions hold, and bytes that running ingests have reserved. */
export async function readStorage(
  em: EntityManager,
  accountId: number,
): Promise<{ usedBytes: number; reservedBytes: number }> {
  const { usedBytes, reservedBytes } = await readVideoStorage(em, accountId)
  return { usedBytes: usedBytes + (await readCaptionBytes(em, accountId)), reservedBytes }
}

/** Bytes of all captions of an account. */
export async function readCaptionBytes(em: EntityManager, accountId: number): Promise<number> {
  const { bytes } = await queries(em)
    .selectFrom('caption as c')
    .innerJoin('video as v', 'v.id', 'c.videoId')
    .select(sql<number>`coalesce(sum(c.size_bytes), 0)::bigint`.as('bytes'))
    .where('v.accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return bytes
}

const readVideoStorage = (
  em: EntityManager,
  accountId: number,
): Promise<{ usedBytes: number; reservedBytes: number }> =>
  queries(em)
    .selectFrom('video')
    .select([
      sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('usedBytes'),
      sql<number>`coalesce(sum(reserved_bytes), 0)::bigint`.as('reservedBytes'),
    ])
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()

/** Revoked viewers, newest first: of one account, or of all. */
export const listRevokedViewers = (
  em: EntityManager,
  { accountId, limit }: { accountId?: number | undefined; limit: number },
): Promise<RevokedViewer[]> =>
  em.find(RevokedViewer, given({ accountId }), {
    orderBy: { revokedAt: 'desc', accountId: 'asc', viewerId: 'asc' },
    limit,
  })

/** Devices that providers have named or the operator has revoked, last seen first: of one account, or of all. */
export const listDevices = (
  em: EntityManager,
  {
    accountId,
    viewerId,
    limit,
  }: { accountId?: number | undefined; viewerId?: string | undefined; limit: number },
): Promise<DrmDevice[]> =>
  em.find(DrmDevice, given({ accountId, viewerId }), {
    orderBy: { lastSeenAt: 'desc', accountId: 'asc', deviceId: 'asc' },
    limit,
  })

/**
 * Locks the account's row until the end of the transaction, so that simultaneous requests cannot both take
 * the last place under a limit.
 */
export async function lockAccount(em: EntityManager, accountId: number): Promise<void> {
  await queries(em)
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .execute()
}

/**
 * Makes the deletion of an account wait until the end of the transaction. Returns false if there is no such account, or its
 * deletion has begun.
 */
export async function holdAccount(em: EntityManager, id: number): Promise<boolean> {
  const row = await queries(em)
    .selectFrom('account')
    .select('id')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Reads the account's current row and locks it until the end of the transaction; null if there is none, or its deletion
 * has begun.
 */
export const findAndLockAccount = (em: EntityManager, id: number): Promise<Account | null> =>
  em.findOne(Account, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE })

/** Makes other requests that change the account's storage wait until this transaction has ended. */
export async function lockStorage(em: EntityManager, accountId: number): Promise<void> {
  await queries(em)
    .selectFrom('plan')
    .select('accountId')
    .where('accountId', '=', accountId)
    .forUpdate()
    .execute()
}
