import { Context } from '@temporalio/activity'
import { deleteVideosOf, VIDEOS_AT_ONCE } from '../../commands/accounts/delete-account.ts'
import {
  countUnremovedVideos,
  findDeletedAccount,
  listDeliveriesOf,
  TABLES_TO_EMPTY,
} from '../../db/accounts/account-deletion.ts'
import { deleteRowsOf } from '../../db/accounts/write-account-deletion.ts'
import type { Database } from '../../db/database.ts'
import { countUndiscardedUploads } from '../../db/uploads/uploads.ts'
import type { AccountRemoval, DeleteAccountInput } from '../../domain/accounts/account-deletion.ts'
import { removeDeliveries, type RemoveDeliveriesDeps } from './remove-deliveries.ts'

const BATCH_ROWS = 500
/** The batches of videos that are deleted before the next wait, because the deletion of each one is requested of the relay. */
const VIDEO_BATCHES = 10

/**
 * Removes the rows of a deleted account once the objects of its videos and uploads are gone; until then it only returns how many
 * still have some. Safe to run twice: it continues with the rows that are left, the account's own last. A row
 * that a late request adds makes it fail; its retry removes the row.
 */
export async function removeAccount(
  deps: RemoveDeliveriesDeps,
  { accountId }: DeleteAccountInput,
): Promise<AccountRemoval> {
  const { heartbeat } = Context.current()
  const { db } = deps
  if (!(await findDeletedAccount(db.em.fork(), accountId))) return { waitingVideos: 0 }
  await deleteVideos(db, accountId, heartbeat)
  const waitingVideos =
    (await countUnremovedVideos(db.em.fork(), accountId)) +
    (await countUndiscardedUploads(db.em.fork(), accountId))
  if (waitingVideos > 0) return { waitingVideos }
  for (let left = BATCH_ROWS; left === BATCH_ROWS; heartbeat('webhook_delivery')) {
    const ids = await listDeliveriesOf(db.em.fork(), accountId, BATCH_ROWS)
    await removeDeliveries(deps, ids)
    left = ids.length
  }
  // Those that no foreign key holds a second time: a request that was under way may have added a row.
  const unheld = TABLES_TO_EMPTY.filter(({ timeColumn }) => timeColumn !== undefined)
  for (const table of [...TABLES_TO_EMPTY, ...unheld])
    for (let deleted = BATCH_ROWS; deleted === BATCH_ROWS; heartbeat(table.name))
      deleted = await deleteRowsOf(db.em.fork(), accountId, table, BATCH_ROWS)
  return { waitingVideos: 0 }
}

/** Deletes the next videos, which counts them as waiting until their objects are removed. */
async function deleteVideos(
  db: Database,
  accountId: number,
  heartbeat: (details: string) => void,
): Promise<void> {
  for (let batch = 1; batch <= VIDEO_BATCHES; batch += 1) {
    const count = await db.em.fork().transactional((tx) => deleteVideosOf(tx, accountId))
    heartbeat('video')
    if (count < VIDEOS_AT_ONCE) return
  }
}
