import { Context } from '@temporalio/activity'
import { CancelledFailure } from '@temporalio/common'
import { videoGone } from '../../commands/ingest/ingest-refusal.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import { findVideoById } from '../../db/videos/videos.ts'
import { isFinal } from '../../domain/videos/video-state.ts'
import { endReports } from './report-progress.ts'
import { stepFailure } from './step-failure.ts'

/** Enough to kill a hung tool. A storage request has no deadline and may wait longer. */
const STOP_MS = 10_000

/**
 * Wraps an ingest activity: translates its failure (`step-failure.ts`) and ends its heartbeats. A cancelled
 * activity always ends as cancelled, because a killed encoder and a closed connection throw other errors.
 * It ends within 10 s even if it hangs, so that it does not occupy its slot.
 */
export const ingestStep =
  <Input, Result>(activity: (input: Input) => Promise<Result>) =>
  async (input: Input): Promise<Result> => {
    const context = Context.current()
    const signal = context.cancellationSignal
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    let timer: NodeJS.Timeout | undefined
    const stop = (): void => {
      timer = setTimeout(
        () => reject(new CancelledFailure('the activity did not stop in time')),
        STOP_MS,
      )
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await Promise.race([untilReported(activity(input), context), stopped])
    } catch (error) {
      throw signal.aborted ? new CancelledFailure('told to stop') : stepFailure(error)
    } finally {
      // A second time for an activity that hangs, which must send no more heartbeats.
      void endReports(context)
      signal.removeEventListener('abort', stop)
      clearTimeout(timer)
    }
  }

/** Resolves when the work has ended and its last progress is written. */
async function untilReported<Result>(work: Promise<Result>, context: Context): Promise<Result> {
  let isDone = false
  try {
    const result = await work
    isDone = true
    return result
  } finally {
    await endReports(context, isDone)
  }
}

/**
 * Returns the row of a video whose ingest has not ended. Refuses with `video_gone` if it was
 * deleted, has ended or does not exist. Temporal deletes closed workflows, so a repeated start may reach this check.
 */
export async function findLiveVideo(em: EntityManager, videoId: string): Promise<Video> {
  const video = await findVideoById(em, videoId)
  if (!video || isFinal(video.status)) throw videoGone()
  return video
}
