import type { EntityManager } from '../../db/database.ts'
import { deleteSourceKey, forgetCopy, insertSourceKey } from '../../db/ingest/write-source-keys.ts'
import { findVideoById } from '../../db/videos/videos.ts'
import { lockIngest, RUNNING } from './lock-ingest.ts'

/**
 * Stores the sealed key of a video's source unless the video has one, and returns whether it did. Refuses with
 * `video_gone` if the video was deleted or has ended.
 */
export const storeSourceKey = (
  em: EntityManager,
  key: { videoId: string; sealedKey: string },
): Promise<boolean> =>
  em.transactional(async (tx) => {
    await lockIngest(tx, key.videoId, RUNNING)
    return insertSourceKey(tx, key)
  })

/**
 * Forgets the key of a video's source before the source is removed (ADR 0010). The source of a ready video whose account
 * keeps originals stays: only the copy of its picture is forgotten. Returns whether the source stays.
 */
export async function forgetSource(em: EntityManager, videoId: string): Promise<boolean> {
  const video = await findVideoById(em, videoId)
  const isKept = video?.status === 'ready' && video.keepOriginal
  if (isKept) await forgetCopy(em, videoId)
  else await deleteSourceKey(em, videoId)
  return isKept
}
