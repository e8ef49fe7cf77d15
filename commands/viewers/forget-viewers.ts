import { waitForCounter } from '../../db/audience/audience-lock.ts'
import type { SessionPlace } from '../../db/audience/sessions-to-count.ts'
import { forgetViewersOfSessions, FORGOTTEN } from '../../db/audience/write-forgotten-viewers.ts'
import {
  deleteErasure,
  deleteErasureOfAll,
  insertErasure,
} from '../../db/audience/write-viewer-erasures.ts'
import type { EntityManager } from '../../db/database.ts'
import type { AccountErasure } from '../../domain/audience/viewer-erasure.ts'
import type { PlayerSettings } from '../../domain/settings/player-settings.ts'

/**
 * Requests the erasure of all viewers when an account switches to totals only, and withdraws it when the account switches back. Call it in
 * the transaction of the edit.
 */
export async function followTotalsOnly(
  tx: EntityManager,
  accountId: number,
  { before, after }: { before: PlayerSettings; after: PlayerSettings },
): Promise<void> {
  const isOn = after.viewer_data.totals_only
  if (isOn === before.viewer_data.totals_only) return
  if (isOn) await insertErasure(tx, accountId, null)
  else await deleteErasureOfAll(tx, accountId)
}

const BATCH_ROWS = 1_000

/**
 * Erases what is kept of each viewer of an account, in batches, each of which is one transaction, and then the request. Calls `onBatch`
 * after each. Totals stay, and what enforces rules: security events, revocations and devices. Safe to run twice, and to end at any line.
 */
export async function forgetViewers(
  fork: () => EntityManager,
  { id, accountId }: AccountErasure,
  onBatch: () => void,
): Promise<void> {
  // A count that began before the setting may still add to viewers.
  await fork().transactional(waitForCounter)
  for (let last: SessionPlace | null = null, isFirst = true; isFirst || last; isFirst = false) {
    last = await forgetViewersOfSessions(fork(), accountId, last, BATCH_ROWS)
    onBatch()
  }
  for (const forget of FORGOTTEN)
    for (let count = BATCH_ROWS; count === BATCH_ROWS; onBatch())
      count = await forget(fork(), accountId, BATCH_ROWS)
  await deleteErasure(fork(), id)
}
