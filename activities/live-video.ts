import { ApplicationFailure } from '@temporalio/common'
import type { EntityManager } from '../db/database.ts'
import type { Video } from '../db/entities/video.ts'
import { findVideoById } from '../db/videos.ts'
import { VIDEO_GONE } from '../domain/ingest.ts'
import { isFinal } from '../domain/video-state.ts'

/**
 * The row of a video that still has work to do. Throws a non-retryable `video_gone` where it was
 * deleted, has ended or never was: the Temporal server forgets closed workflow ids, the row does not.
 */
export async function findLiveVideo(em: EntityManager, videoId: string): Promise<Video> {
  const video = await findVideoById(em, videoId)
  if (!video || isFinal(video.status)) throw videoGone()
  return video
}

/** What an activity throws where its video has been deleted in the meantime. */
export const videoGone = (): ApplicationFailure =>
  ApplicationFailure.nonRetryable('the video is no longer worked on', VIDEO_GONE)
