import type { EntityManager } from '../../db/database.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import {
  markVideoRemoved,
  markVideosDeleted,
  type VideoTitle,
} from '../../db/videos/write-videos.ts'
import { appendEvent } from '../events.ts'
import { Refusal } from '../refusal.ts'

export interface DeletionOptions {
  /** True for a deletion in the dashboard, which sends no event. */
  isSilent?: boolean
}

/**
 * Deletes the account's video with its content keys and its source link, ends its playback and releases its
 * storage. The workflow that it requests stops the ingest and removes the objects.
 * Refuses with `video_not_found`, also if it was deleted before.
 */
export async function deleteVideo(
  em: EntityManager,
  accountId: number,
  videoId: string,
  { isSilent = false }: DeletionOptions = {},
): Promise<void> {
  await em.transactional(async (tx) => {
    const deleted = await markVideosDeleted(tx, accountId, [videoId])
    if (deleted.length === 0) throw new Refusal('video_not_found')
    if (!isSilent)
      await appendEvent(tx, {
        accountId,
        type: 'video.deleted',
        data: { id: videoId, object: 'video' },
      })
    await requestRemoval(tx, accountId, deleted)
  })
}

/** Deletes videos without an event. Call it in a transaction. Returns those that it deleted. */
export async function deleteSilently(
  tx: EntityManager,
  accountId: number,
  ids: string[],
): Promise<VideoTitle[]> {
  const deleted = await markVideosDeleted(tx, accountId, ids)
  await requestRemoval(tx, accountId, deleted)
  return deleted
}

/** Deletes what is left of a deleted video but its own row, once its objects are removed. */
export const recordRemoval = (em: EntityManager, videoId: string): Promise<void> =>
  em.transactional((tx) => markVideoRemoved(tx, videoId))

/** Requests the workflows that stop the ingests and remove the objects. */
const requestRemoval = (
  tx: EntityManager,
  accountId: number,
  videos: VideoTitle[],
): Promise<void> =>
  requestWorkflows(
    tx,
    videos.map(({ id }) => ({ command: 'delete-video', subjectId: id, accountId })),
  )
