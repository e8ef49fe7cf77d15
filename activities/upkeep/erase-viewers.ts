import { heartbeat, log } from '@temporalio/activity'
import { eraseViewer } from '../../commands/viewers/erase-viewer.ts'
import { forgetViewers } from '../../commands/viewers/forget-viewers.ts'
import { listErasures } from '../../db/audience/viewer-erasures.ts'
import type { Database } from '../../db/database.ts'
import type { AccountErasure, ViewerErasure } from '../../domain/audience/viewer-erasure.ts'

const BATCH = 100

/**
 * Carries out the requested erasures: of single viewers, and of all viewers of accounts that have switched to totals only. Returns how many
 * are done. One that fails is left to the next run, and stops no other. Safe to run twice.
 */
export async function eraseViewers({ db }: { db: Database }): Promise<number> {
  let count = 0
  for (const erasure of await listErasures(db.em.fork(), BATCH)) {
    const { id, accountId } = erasure
    await erase(db, erasure, () => heartbeat(count)).then(
      () => (count += 1),
      (err: unknown) => log.error('a viewer cannot be erased', { erasureId: id, accountId, err }),
    )
  }
  return count
}

function erase(
  db: Database,
  { viewerId, ...erasure }: ViewerErasure | AccountErasure,
  onBatch: () => void,
): Promise<void> {
  const fork = () => db.em.fork()
  return viewerId === null
    ? forgetViewers(fork, { ...erasure, viewerId }, onBatch)
    : eraseViewer(fork, { ...erasure, viewerId }, onBatch)
}
