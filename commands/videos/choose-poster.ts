import type { EntityManager } from '../../db/database.ts'
import { putPoster } from '../../db/videos.ts'
import { frameName } from '../../domain/media-paths.ts'
import { Refusal } from '../refusal.ts'
import { requireLockedVideo } from './lock-video.ts'

/**
 * Makes a kept frame the poster of a video, or with null the picture that the ingest chose. Call it in a transaction.
 * Refuses with `invalid_parameter` if the video has no such frame, and with `video_not_found`.
 */
export async function choosePoster(
  tx: EntityManager,
  accountId: number,
  videoId: string,
  frame: number | null,
): Promise<void> {
  const video = await requireLockedVideo(tx, accountId, videoId)
  if (frame !== null && frame > video.frameCount)
    throw new Refusal('invalid_parameter', {
      field: 'frame',
      message: 'The video has no such frame.',
    })
  const name = frameName(frame ?? 0)
  if (name !== video.posterName) await putPoster(tx, videoId, name)
}
