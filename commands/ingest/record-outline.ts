import type { EntityManager } from '../../db/database.ts'
import { forgetGrowingVideo, putOutline } from '../../db/ingest/write-growing-videos.ts'
import { deleteRungChunks } from '../../db/ingest/write-rendition-chunks.ts'
import type { VideoOutline } from '../../domain/playback/growing-video.ts'
import { ENCODING, lockIngest } from './lock-ingest.ts'

/**
 * Records how a video grows, for its encoders and players; with null, that it does not play meanwhile. Refuses with
 * `video_gone` if the video was deleted or has ended.
 */
export const recordOutline = (
  em: EntityManager,
  videoId: string,
  outline: VideoOutline | null,
): Promise<void> =>
  em.transactional(async (tx) => {
    await lockIngest(tx, videoId, ENCODING)
    if (outline) await putOutline(tx, videoId, outline)
    else await forgetGrowingVideo(tx, videoId)
  })

/**
 * Forgets what is recorded of rungs that are not published, before they are encoded whole, so the video no longer plays
 * while it grows. Recorded audio stays: it fits, and players may have fetched it.
 */
export const forgetRungChunks = (em: EntityManager, videoId: string): Promise<void> =>
  em.transactional(async (tx) => {
    await forgetGrowingVideo(tx, videoId)
    await deleteRungChunks(tx, videoId)
  })
