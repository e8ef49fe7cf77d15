import { addEncodedTime } from '../../db/accounts/write-usage.ts'
import type { EntityManager } from '../../db/database.ts'
import { deleteClaims } from '../../db/ingest/write-growing-videos.ts'
import { deleteProgress } from '../../db/ingest/write-ingest-progress.ts'
import { cutChapters, cutMoments } from '../../db/videos/write-annotations.ts'
import { updateVideoStatus, type VideoChange } from '../../db/videos/write-videos.ts'
import { endSecond, lastSecond } from '../../domain/videos/chapters.ts'
import { isFinal, statesBefore, type VideoStatus } from '../../domain/videos/video-state.ts'
import type { EventType } from '../../domain/webhooks/events.ts'
import { appendEvent } from '../events.ts'

/**
 * Changes a video's status and appends its event, in one transaction. No other code changes the status. A
 * video that becomes ready adds to the encoded minutes of its account. When an ingest ends, its progress and
 * its claims of chunks are removed. When the duration is written, chapters and moments are cut to it. Returns false and writes nothing if the video is deleted or its status cannot
 * change to `to`, so a second run of an activity is harmless.
 */
export async function transitionVideo(
  em: EntityManager,
  id: string,
  to: Exclude<VideoStatus, 'queued'>,
  change: VideoChange = {},
): Promise<boolean> {
  return em.transactional(async (tx) => {
    const video = await updateVideoStatus(tx, id, { from: statesBefore(to), to }, change)
    if (!video) return false
    const { durationMs, errorMessage = 'The video failed.' } = change
    if (to === 'ready') await addEncodedTime(tx, video.accountId, durationMs ?? 0)
    if (isFinal(to)) {
      await deleteProgress(tx, [id])
      await deleteClaims(tx, id)
    }
    if (durationMs !== undefined) {
      await cutChapters(tx, id, endSecond(durationMs))
      await cutMoments(tx, id, lastSecond(durationMs))
    }
    await announce(tx, { id, ...video }, to, errorMessage)
    return true
  })
}

async function announce(
  em: EntityManager,
  { id, accountId, requestId }: { id: string; accountId: number; requestId: string | null },
  status: VideoStatus,
  error: string,
): Promise<void> {
  const append = <T extends EventType>(event: Parameters<typeof appendEvent<T>>[1]) =>
    appendEvent(em, { ...event, requestId })
  switch (status) {
    case 'processing':
      await append({ accountId, type: 'video.created', data: { id, object: 'video', status } })
      return
    case 'ready':
      await append({ accountId, type: 'video.ready', data: { id, object: 'video', status } })
      return
    case 'failed':
      await append({
        accountId,
        type: 'video.failed',
        data: { id, object: 'video', status, error },
      })
      return
    case 'queued':
    case 'playable':
      return
  }
}
