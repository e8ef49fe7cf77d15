import type { EntityManager } from '../../db/database.ts'
import { lockVideoIn } from '../../db/videos/videos.ts'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import { videoGone } from './ingest-refusal.ts'

/** The states of a video whose ingest has not ended. */
export const RUNNING: VideoStatus[] = ['queued', 'processing', 'playable']
/** The states of a video that is encoded. */
export const ENCODING: VideoStatus[] = ['processing', 'playable']

/**
 * Locks the video of an ingest to the end of the transaction, and returns its state. Refuses with `video_gone` if the
 * video is deleted or in none of `states`.
 */
export async function lockIngest(
  tx: EntityManager,
  videoId: string,
  states: VideoStatus[],
): Promise<VideoStatus> {
  const status = await lockVideoIn(tx, videoId, states)
  if (status === null) throw videoGone()
  return status
}
