import { cutChapters } from '../../db/chapters.ts'
import type { EntityManager } from '../../db/database.ts'
import { cutMoments } from '../../db/moments.ts'
import { addEncodedTime } from '../../db/usage.ts'
import { endSecond, lastSecond } from '../../domain/chapters.ts'
import type { EventType } from '../../domain/events.ts'
import { statesBefore } from '../../domain/video-state.ts'
import type { VideoStatus } from '../../domain/video-state.ts'
import { appendEvent } from '../events.ts'

/** What may be written together with a change of status. */
export interface VideoChange {
  durationMs?: number
  sizeBytes?: number
  reservedBytes?: number
  width?: number
  height?: number
  hasPoster?: boolean
  hasStoryboard?: boolean
  errorCode?: string
  errorMessage?: string
}

const COLUMNS: Record<keyof VideoChange, string> = {
  durationMs: 'duration_ms',
  sizeBytes: 'size_bytes',
  reservedBytes: 'reserved_bytes',
  width: 'width',
  height: 'height',
  hasPoster: 'has_poster',
  hasStoryboard: 'has_storyboard',
  errorCode: 'error_code',
  errorMessage: 'error_message',
}

/**
 * The one place where a video's status is written: a single conditional update, and its event in
 * the same transaction (design, section 4); a film that is ready counts as encoded, and its chapters and
 * moments are cut to its length where that is written. Returns false, having written nothing, where the video
 * is not in a state before `to`, or was deleted; so a second run of an activity is harmless.
 */
export async function moveVideo(
  em: EntityManager,
  videoId: string,
  to: Exclude<VideoStatus, 'queued'>,
  change: VideoChange = {},
): Promise<boolean> {
  const fields = Object.entries(change) as [keyof VideoChange, unknown][]
  const assignments = fields.map(([field]) => `${COLUMNS[field]} = ?, `).join('')
  const from = statesBefore(to)
  return em.transactional(async (tx) => {
    const moved = await tx.execute<{ accountId: number; requestId: string | null }[]>(
      `update video set ${assignments}status = ?, updated_at = now()
       where id = ? and deleted_at is null and status in (${from.map(() => '?').join(', ')})
       returning account_id as "accountId", request_id as "requestId"`,
      [...fields.map(([, value]) => value), to, videoId, ...from],
    )
    const [video] = moved
    if (!video) return false
    const { accountId } = video
    if (to === 'ready') await addEncodedTime(tx, accountId, change.durationMs ?? 0)
    if (change.durationMs !== undefined) {
      await cutChapters(tx, videoId, endSecond(change.durationMs))
      await cutMoments(tx, videoId, lastSecond(change.durationMs))
    }
    await announce(tx, { id: videoId, ...video }, to, change.errorMessage ?? 'The video failed.')
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
