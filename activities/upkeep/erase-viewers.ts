import { heartbeat, log } from '@temporalio/activity'
import { eraseViewer } from '../../commands/viewers/erase-viewer.ts'
import { listErasures } from '../../db/audience/viewer-erasures.ts'
import type { Database } from '../../db/database.ts'

const BATCH = 100

/**
 * Erases the viewers for whom it was requested; returns how many. One that fails is left to the next run, and stops no other. Safe to
 * run twice.
 */
export async function eraseViewers({ db }: { db: Database }): Promise<number> {
  let count = 0
  for (const erasure of await listErasures(db.em.fork(), BATCH)) {
    const { id, accountId } = erasure
    await eraseViewer(
      () => db.em.fork(),
      erasure,
      () => heartbeat(count),
    ).then(
      () => (count += 1),
      (err: unknown) => log.error('a viewer cannot be erased', { erasureId: id, accountId, err }),
    )
  }
  return count
}
