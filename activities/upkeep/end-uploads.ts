import { heartbeat } from '@temporalio/activity'
import { Refusal } from '../../commands/refusal.ts'
import { expireUpload } from '../../commands/uploads/end-upload.ts'
import { SourceWriteLostError } from '../../db/ingest/source-writes.ts'
import {
  findEndedUploads,
  findExpiredUploads,
  findStoredUploads,
  type UploadDetails,
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
  await completeStored(deps, (error) => failures.push(error))
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

async function completeStored(
  deps: UploadDeps,
  onFailure: (error: unknown) => void,
): Promise<void> {
  let page: UploadDetails[] = []
  do {
    page = await findStoredUploads(deps.db.em.fork(), page.at(-1)?.id ?? 0, BATCH)
    for (const upload of page) {
      await completeIfStored(deps, upload, () => heartbeat()).catch((error: unknown) => {
        if (!isEnd(error)) onFailure(error)
      })
      heartbeat()
    }
  } while (page.length === BATCH)
}

/** Its client completes it in the same moment; or its account may have no video of it now, such as without a plan, and it expires. */
const isEnd = (error: unknown): boolean =>
  error instanceof SourceWriteLostError || error instanceof Refusal
