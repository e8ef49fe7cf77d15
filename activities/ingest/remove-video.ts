import { Context } from '@temporalio/activity'
import { recordRemoval } from '../../commands/videos/delete-video.ts'
import { isVideoDeleted } from '../../db/videos/videos.ts'
import type { IngestVideoInput } from '../../domain/ingest/ingest.ts'
import type { ActivityDeps } from '../deps.ts'
import { removeMedia, removeScratch } from './end-video.ts'

/** Removes a deleted video's objects and its remaining rows, except the video's own row. */
export async function removeVideo(
  deps: Pick<ActivityDeps, 'db' | 'storage' | 'workDir'>,
  { videoId }: IngestVideoInput,
): Promise<void> {
  const em = deps.db.em.fork()
  if (!(await isVideoDeleted(em, videoId))) return
  const { heartbeat } = Context.current()
  const onProgress = () => heartbeat()
  await removeMedia(deps, videoId, onProgress)
  await removeScratch(deps, videoId, onProgress)
  await recordRemoval(em, videoId)
}
