import {
  countVideosToDelete,
  listEndpointsToDisable,
  listVideosToDelete,
} from '../../db/accounts/account-deletion.ts'
import { findAndLockAccount } from '../../db/accounts/accounts.ts'
import { lockCallers } from '../../db/accounts/callers.ts'
import { markAccountDeleted } from '../../db/accounts/write-account-deletion.ts'
import type { EntityManager } from '../../db/database.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import { listOpenUploads } from '../../db/uploads/uploads.ts'
import { Refusal } from '../refusal.ts'
import { cancelIfOpen } from '../uploads/end-upload.ts'
import { deleteSilently } from '../videos/delete-video.ts'
import { disableEndpoint } from '../webhooks/disable-endpoint.ts'

/** How many videos one transaction deletes. */
export const VIDEOS_AT_ONCE = 500

/**
 * Begins the deletion of an account: from this transaction on, no key, member or viewer token of it is valid, no webhook
 * is sent, and no video of it begins to play or continues. Up to 500 videos lose their content keys at once (ADR 0010),
 * others in the workflow that it requests, which also removes objects and rows. Call it in a transaction. Returns the
 * number of its videos. Refuses with `account_not_found`, also if the
 * deletion has begun.
 */
export async function deleteAccount(tx: EntityManager, accountId: number): Promise<number> {
  await lockCallers(tx, accountId)
  if (!(await findAndLockAccount(tx, accountId))) throw new Refusal('account_not_found')
  await markAccountDeleted(tx, accountId)
  for (const endpointId of await listEndpointsToDisable(tx, accountId))
    await disableEndpoint(tx, { accountId, endpointId, reason: 'owner' })
  const count = await countVideosToDelete(tx, accountId)
  await deleteVideosOf(tx, accountId)
  await requestAccountRemoval(tx, accountId)
  return count
}

/**
 * Cancels the open uploads of an account, and deletes its next videos without events. Call it in a transaction. Returns how many videos,
 * up to 500.
 */
export async function deleteVideosOf(tx: EntityManager, accountId: number): Promise<number> {
  // One of them may end between the two statements: its time is over, or its client cancels or completes it.
  for (const id of await listOpenUploads(tx, accountId)) await cancelIfOpen(tx, accountId, id)
  const ids = await listVideosToDelete(tx, accountId, VIDEOS_AT_ONCE)
  return (await deleteSilently(tx, accountId, ids)).length
}

/** Requests the workflow that removes a deleted account. */
export const requestAccountRemoval = (tx: EntityManager, accountId: number): Promise<void> =>
  requestWorkflows(tx, [{ command: 'delete-account', subjectId: String(accountId), accountId }])
