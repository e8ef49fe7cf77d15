import { heartbeat } from '@temporalio/activity'
import { fillViewerProgress } from '../../db/audience/write-progress-of-before.ts'
import type { Database } from '../../db/database.ts'
import { continueBackfill, type Backfill } from '../../db/upkeep/write-backfills.ts'

/** The backfills of migrations, oldest first. A release that no installation upgrades over removes its own. */
const BACKFILLS: readonly Backfill[] = [fillViewerProgress]

/**
 * Continues the backfills that migrations have requested, batch by batch, from the recorded position: a worker that is killed loses
 * the batch that it did. Returns the number of batches. Safe to run twice, also at the same time.
 */
export async function runBackfills(
  { db }: { db: Database },
  backfills: readonly Backfill[] = BACKFILLS,
): Promise<number> {
  let count = 0
  for (const backfill of backfills)
    for (let hasMore = true; hasMore; heartbeat(count)) {
      hasMore = await continueBackfill(db.em.fork(), backfill)
      count += 1
    }
  return count
}
