import { erasedName } from '../../db/audience/viewer-erasures.ts'
import { deleteErasure, ERASURES, insertErasure } from '../../db/audience/write-viewer-erasures.ts'
import type { EntityManager } from '../../db/database.ts'
import type { ViewerErasure } from '../../domain/audience/viewer-erasure.ts'

/** A request to erase a viewer. */
export interface RequestedErasure extends Pick<ViewerErasure, 'id' | 'requestedAt'> {
  /** What the audit log calls the viewer: a hash. */
  erasedName: string
}

/**
 * Requests that everything of a viewer is erased; `eraseViewer` does it within minutes. The totals of the audience stay, and a
 * revocation stays as a hash. Call it in a transaction.
 */
export async function requestErasure(
  tx: EntityManager,
  accountId: number,
  viewerId: string,
): Promise<RequestedErasure> {
  const requested = await insertErasure(tx, accountId, viewerId)
  return { ...requested, erasedName: await erasedName(tx, accountId, viewerId) }
}

const BATCH_ROWS = 500

/**
 * Erases a viewer in batches, each of which is one transaction, and then the request. Calls `onBatch` after each. Safe to run twice, and
 * to end at any line.
 */
export async function eraseViewer(
  fork: () => EntityManager,
  erasure: ViewerErasure,
  onBatch: () => void,
): Promise<void> {
  for (const erase of ERASURES)
    for (let erased = BATCH_ROWS; erased >= BATCH_ROWS; onBatch())
      erased = await fork().transactional((tx) => erase(tx, erasure, BATCH_ROWS))
  await deleteErasure(fork(), erasure.id)
}
