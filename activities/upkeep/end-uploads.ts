import { heartbeat } from '@temporalio/activity'
import { expireUpload } from '../../commands/uploads/end-upload.ts'
import { SourceWriteLostError } from '../../db/ingest/source-writes.ts'
import {
  findEndedUploads,
  findExpiredUploads,
  findStoredUploads,
} from '../../db/uploads/uploads.ts'
import { completeIfStored, type UploadDeps } from '../../sources/complete-upload.ts'
import { discardUpload } from '../../sources/discard-upload.ts'

const BATCH = 100

/**
 * Makes the videos of uploads that are stored whole, whose process was killed and whose client does not ask again; ends uploads whose
 * time is over, and removes what is stored of those that have ended without a video. Returns how many it removed. Safe to run twice, and
 * beside itself. One that fails is left to the next run, and stops no other.
 */
export async function endUploads(deps: UploadDeps): Promise<number> {
  const { db } = deps
  const failures: unknown[] = []
  for (const upload of await findStoredUploads(db.em.fork(), BATCH)) {
    await completeIfStored(deps, upload).catch((error: unknown) => {
      // Its client completes it in the same moment.
      if (!(error instanceof SourceWriteLostError)) failures.push(error)
    })
    heartbeat()
  }
  for (const id of await findExpiredUploads(db.em.fork(), BATCH))
    await expireUpload(db.em.fork(), id)
  let count = 0
  for (const upload of await findEndedUploads(db.em.fork(), BATCH)) {
    await discardUpload(deps, upload, () => heartbeat(count)).then(
      () => (count += 1),
      (error: unknown) => failures.push(error),
    )
    heartbeat(count)
  }
  if (failures.length > 0) throw failures[0]
  return count
}
