import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import { lockVideo } from '../../db/videos/videos.ts'
import { Refusal } from '../refusal.ts'

/**
 * The account's video, locked to the end of the transaction, so that concurrent changes to its captions, chapters
 * and moments run one after another. Refuses with `video_not_found`.
 */
export async function requireLockedVideo(
  tx: EntityManager,
  accountId: number,
  id: string,
): Promise<Video> {
  const video = await lockVideo(tx, accountId, id)
  if (!video) throw new Refusal('video_not_found')
  return video
}
