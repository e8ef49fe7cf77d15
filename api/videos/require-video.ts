import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import { findVideoDetails } from '../../db/video-details.ts'
import type { VideoDetails } from '../../db/video-details.ts'
import { findVideo, lockVideo } from '../../db/videos.ts'
import { ApiError } from '../api-error.ts'

/** The account's video; 404 `video_not_found` for anything else, another account's too. */
export const requireVideo = async (
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<Video> => orNotFound(await findVideo(em, accountId, id))

/** The same with its details. */
export const requireVideoDetails = async (
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<VideoDetails> => orNotFound(await findVideoDetails(em, accountId, id))

/** The same, locked to the end of the transaction. */
export const requireLockedVideo = async (
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<Video> => orNotFound(await lockVideo(em, accountId, id))

function orNotFound<T>(found: T | null): T {
  if (found === null) throw new ApiError('video_not_found')
  return found
}
