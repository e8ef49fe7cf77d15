import { ApplicationFailure } from '@temporalio/common'
import type { EntityManager } from '../db/database.ts'
import { Video } from '../db/entities/video.ts'
import { VIDEO_GONE } from '../domain/ingest.ts'
import { isFinal } from '../domain/video-state.ts'

/**
 * Returns the row of a video whose ingest has not ended. Throws a non-retryable `video_gone` if it was
 * deleted, has ended or does not exist. Temporal forgets closed workflow ids, so a repeated start may come here.
 */
export async function findLiveVideo(em: EntityManager, videoId: string): Promise<Video> {
  const video = await em.findOne(Video, { id: videoId, deletedAt: null })
  if (!video || isFinal(video.status)) throw videoGone()
  return video
}

/** The failure of an activity whose video was deleted or has ended. */
export const videoGone = (): ApplicationFailure =>
  ApplicationFailure.nonRetryable('the video is no longer worked on', VIDEO_GONE)
