import type { EntityManager } from '../../db/database.ts'
import { deleteKeys } from '../../db/ingest/write-content-keys.ts'
import { lockVideoIn } from '../../db/videos/videos.ts'
import { deleteRenditions } from '../../db/videos/write-renditions.ts'
import type { VideoFailure } from '../../domain/ingest/ingest.ts'
import { transitionVideo } from '../videos/transition-video.ts'

/**
 * Marks a video as failed (video.failed with the reason) and releases its storage. A video that grows was watched already:
 * its keys, its chunks and its outline go in the same transaction (ADR 0010). Returns whether the video has failed, now
 * or before, and whether it did now.
 */
export function failVideo(
  em: EntityManager,
  videoId: string,
  { code: errorCode, message: errorMessage }: VideoFailure,
): Promise<{ isChanged: boolean; hasFailed: boolean }> {
  const change = { errorCode, errorMessage, reservedBytes: 0, sizeBytes: 0 }
  return em.transactional(async (tx) => {
    const isChanged = await transitionVideo(tx, videoId, 'failed', change)
    const hasFailed = (await lockVideoIn(tx, videoId, ['failed'])) !== null
    // Also what an older worker left of a video that it failed.
    if (hasFailed) await forgetMedia(tx, videoId)
    return { isChanged, hasFailed }
  })
}

/** Without keys, no copy of a segment can be decrypted (ADR 0010). */
async function forgetMedia(tx: EntityManager, videoId: string): Promise<void> {
  await deleteKeys(tx, videoId)
  await deleteRenditions(tx, videoId)
}
