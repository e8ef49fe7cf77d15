import { heartbeat } from '@temporalio/activity'
import { expireUpload } from '../../commands/uploads/end-upload.ts'
import type { Database } from '../../db/database.ts'
import { findEndedUploads, findExpiredUploads } from '../../db/uploads/uploads.ts'
import { discardUpload } from '../../sources/discard-upload.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'

const BATCH = 100

/**
 * Ends uploads whose time is over, and removes what is stored of those that have ended without a video. Returns how many it
 * removed. Safe to run twice, and beside itself. One whose storage fails is left to the next run, and stops no other.
 */
export async function endUploads({
  db,
  storage,
}: {
  db: Database
  storage: ObjectStorage
}): Promise<number> {
  for (const id of await findExpiredUploads(db.em.fork(), BATCH))
    await expireUpload(db.em.fork(), id)
  let count = 0
  const failures: unknown[] = []
  for (const upload of await findEndedUploads(db.em.fork(), BATCH)) {
    await discardUpload({ db, storage }, upload, () => heartbeat(count)).then(
      () => (count += 1),
      (error: unknown) => failures.push(error),
    )
    heartbeat(count)
  }
  if (failures.length > 0) throw failures[0]
  return count
}
