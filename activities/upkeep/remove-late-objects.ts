import { videoGone } from '../../commands/ingest/ingest-refusal.ts'
import type { Video } from '../../db/entities/video.ts'
import { findVideoById } from '../../db/videos/videos.ts'
import { isFinal } from '../../domain/videos/video-state.ts'
import type { ActivityDeps } from '../deps.ts'

interface LateObjects {
  videoId: string
  /** What the activity has stored. */
  prefix: string
  /** Whether a video that is ready uses these objects; false by default. */
  isUsedBy?: (video: Video) => boolean
}

/**
 * Removes what an activity has just stored if its video has ended or was deleted meanwhile, and refuses with
 * `video_gone` then. A worker that was frozen or cut off goes on when others have ended the video and removed its objects: nothing
 * looks for them again. Call it after the last write, so that an end that comes later sees the objects.
 */
export async function removeLateObjects(
  { db, storage }: Pick<ActivityDeps, 'db' | 'storage'>,
  { videoId, prefix, isUsedBy = () => false }: LateObjects,
  onProgress?: () => void,
): Promise<void> {
  const video = await findVideoById(db.em.fork(), videoId)
  const isDeleted = !video || video.deletedAt !== null
  if (!isDeleted && !isFinal(video.status)) return
  const isUsed = !isDeleted && video.status === 'ready' && isUsedBy(video)
  if (!isUsed) await storage.deletePrefix(prefix, onProgress)
  throw videoGone()
}
