import { readSums } from '../../db/accounts/account-sums.ts'
import { availableStorageBytes, findPlan, lockPlan } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import { ACCOUNT_CAPTIONS_MAX_BYTES } from '../../domain/limits.ts'
import { Refusal } from '../refusal.ts'

/**
 * Bytes of captions that an account may still add: what its plan has left, ended or not, and at most 10 GB of captions
 * in any plan. Locks the storage of the account until the end of the transaction: call it after a video is locked.
 */
export async function lockCaptionStorage(tx: EntityManager, accountId: number): Promise<number> {
  await lockPlan(tx, accountId)
  const plan = await findPlan(tx, accountId)
  const { captionBytes } = await readSums(tx, accountId)
  const left = ACCOUNT_CAPTIONS_MAX_BYTES - captionBytes
  return Math.min(left, plan ? await availableStorageBytes(tx, plan) : Infinity)
}

/** Refuses with `insufficient_storage` to add more bytes of captions than are left; fewer are always accepted. */
export function requireCaptionStorage(addedBytes: number, leftBytes: number): void {
  if (addedBytes > 0 && addedBytes > leftBytes)
    throw new Refusal('insufficient_storage', {
      message: 'The caption is larger than the remaining storage of the account.',
    })
}
