import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import { isPlanActive } from '../../domain/accounts/plan.ts'
import type { EntityManager } from '../database.ts'
import { Account, DrmDevice, Plan, RevokedViewer } from '../entities/account.ts'
import { given } from '../page.ts'
import { queries } from '../queries.ts'
import { readSums, takenBytes } from './account-sums.ts'

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

/** Whether the account holds more than its plan allows, with what this transaction has changed. */
export async function isOverLimit(em: EntityManager, accountId: number): Promise<boolean> {
  const row = await queries(em)
    .selectFrom('plan as p')
    .select('p.accountId')
    .where('p.accountId', '=', accountId)
    .where('p.storageLimitBytes', 'is not', null)
    .where('p.storageLimitBytes', '<', takenBytes(sql`p.account_id`))
    .executeTakeFirst()
  return row !== undefined
}

/** Bytes that the account's videos and their captions hold, and bytes that running ingests have reserved. */
export async function readStorage(
  em: EntityManager,
  accountId: number,
): Promise<{ usedBytes: number; reservedBytes: number }> {
  const { usedBytes, captionBytes, reservedBytes } = await readSums(em, accountId)
  return { usedBytes: usedBytes + captionBytes, reservedBytes }
}

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

/**
 * Makes other requests that take storage of the account wait until this transaction has ended. Does nothing if its plan has no
 * limit of storage: those that a change of the plan limits meanwhile count as having come before it.
 */
export async function lockStorage(em: EntityManager, accountId: number): Promise<void> {
  await lockedPlan(em, accountId).where('storageLimitBytes', 'is not', null).execute()
}

/** The same in each plan, for what is limited in all of them. */
export async function lockPlan(em: EntityManager, accountId: number): Promise<void> {
  await lockedPlan(em, accountId).execute()
}

const lockedPlan = (em: EntityManager, accountId: number) =>
  queries(em).selectFrom('plan').select('accountId').where('accountId', '=', accountId).forUpdate()
