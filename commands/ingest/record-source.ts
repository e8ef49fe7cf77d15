import type { EntityManager } from '../../db/database.ts'
import { putCopyId, putSourceId } from '../../db/ingest/write-source-keys.ts'
import {
  dropSourceWrite,
  endSourceWrite,
  type WriterOf,
} from '../../db/ingest/write-source-parts.ts'
import { deleteRenditions } from '../../db/videos/write-renditions.ts'
import { ENCODING, lockIngest, RUNNING } from './lock-ingest.ts'

/** What the caller removes from storage. */
export interface ReplacedSource {
  /** True if another source was recorded before. */
  isOther: boolean
  /** The object that a writer has not ended; null if there is none. */
  unfinished: string | null
}

/**
 * Records which source of a video is stored; `by` has written it, or it was found. What is recorded of another one is
 * forgotten in the same transaction, so no video is made of two: chunks, renditions, the outline and the copy of the picture.
 * No other writer continues. Refuses with `video_gone` if the video was deleted or has ended; throws a SourceWriteLostError
 * if another has taken the place of `by`.
 */
export const recordSource = (
  em: EntityManager,
  videoId: string,
  sourceId: string,
  by?: WriterOf,
): Promise<ReplacedSource> =>
  em.transactional(async (tx) => {
    await lockIngest(tx, videoId, RUNNING)
    if (by) await endSourceWrite(tx, by)
    const unfinished = await dropSourceWrite(tx, videoId)
    const isOther = await putSourceId(tx, videoId, sourceId)
    if (isOther) await deleteRenditions(tx, videoId)
    return { isOther, unfinished }
  })

/**
 * Records the copy of the picture of a source. Call it in a transaction. Returns false if another source is recorded, or has a
 * copy already. Refuses with `video_gone` if the video was deleted or has ended.
 */
export async function recordCopy(
  tx: EntityManager,
  videoId: string,
  copy: { sourceId: string; copyId: string },
): Promise<boolean> {
  await lockIngest(tx, videoId, ENCODING)
  return putCopyId(tx, videoId, copy)
}
