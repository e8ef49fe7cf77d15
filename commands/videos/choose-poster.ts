import type { EntityManager } from '../../db/database.ts'
import { withdrawPosterUpload } from '../../db/videos/write-poster-uploads.ts'
import { putPoster } from '../../db/videos/write-videos.ts'
import { picturesOf } from '../../domain/videos/poster-pictures.ts'
import { Refusal } from '../refusal.ts'
import { requireLockedVideo } from './lock-video.ts'

/**
 * Makes a kept picture the poster of a video: `automatic`, `uploaded` or a frame such as `frame-4`. Withdraws an upload
 * that still waits, because the later decision counts. Call it in a transaction. Refuses with `invalid_parameter` if
 * the video has no such picture, and with `video_not_found`.
 */
export async function choosePoster(
  tx: EntityManager,
  accountId: number,
  videoId: string,
  name: string,
): Promise<void> {
  const video = await requireLockedVideo(tx, accountId, videoId)
  const picture = picturesOf(video).find((one) => one.name === name)
  if (!picture)
    throw new Refusal('invalid_parameter', {
      field: 'picture',
      message: 'The video has no such picture.',
    })
  await withdrawPosterUpload(tx, videoId)
  if (picture.storedName !== video.posterName) await putPoster(tx, videoId, picture.storedName)
}
