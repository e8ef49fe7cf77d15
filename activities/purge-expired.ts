import { heartbeat } from '@temporalio/activity'
import type { Database } from '../db/database.ts'
import { deleteExpiredKeys } from '../db/idempotency.ts'

const BATCH_ROWS = 1_000

/** Deletes the answers that were kept under Idempotency-Keys for longer than a day; in bounded batches. */
export function createPurgeExpired({ db }: { db: Database }) {
  return async function purgeExpired(): Promise<number> {
    let count = 0
    for (;;) {
      const deleted = await deleteExpiredKeys(db.em.fork(), BATCH_ROWS)
      count += deleted
      heartbeat(count)
      if (deleted < BATCH_ROWS) return count
    }
  }
}
