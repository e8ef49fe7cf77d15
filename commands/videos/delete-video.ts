import type { EntityManager } from '../../db/database.ts'
import { markVideoDeleted } from '../../db/videos.ts'
import { requestWorkflows } from '../../db/workflow-requests.ts'
import { appendEvent } from '../events.ts'
import { Refusal } from '../refusal.ts'

/**
 * Deletes the account's video with its content keys and its source link, ends its playback and releases its
 * storage. The workflow that it requests stops the ingest and removes the objects.
 * Refuses with `video_not_found`, also if it was deleted before.
 */
export async function deleteVideo(
  em: EntityManager,
  accountId: number,
  videoId: string,
): Promise<void> {
  await em.transactional(async (tx) => {
    if (!(await markVideoDeleted(tx, accountId, videoId))) throw new Refusal('video_not_found')
    await appendEvent(tx, {
      accountId,
      type: 'video.deleted',
      data: { id: videoId, object: 'video' },
    })
    await requestWorkflows(tx, [{ command: 'delete-video', subjectId: videoId, accountId }])
  })
}
