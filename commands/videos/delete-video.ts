import type { EntityManager } from '../../db/database.ts'
import { appendCommands } from '../../db/workflow-requests.ts'
import { appendEvent } from '../events.ts'

/**
 * Deletes the account's video: from this commit on nothing plays, its content keys and the link it
 * came from are gone, its storage is given back, and video.deleted is on its way. The command stops
 * its work and removes its objects. Returns false where there is no such video (any more).
 */
export async function deleteVideo(
  em: EntityManager,
  accountId: number,
  videoId: string,
): Promise<boolean> {
  return em.transactional(async (tx) => {
    const deleted = await tx.execute<unknown[]>(
      `update video set deleted_at = now(), updated_at = now(), folder_id = null,
         source_url = '', reserved_bytes = 0
       where id = ? and account_id = ? and deleted_at is null returning 1`,
      [videoId, accountId],
    )
    if (deleted.length === 0) return false
    // Whoever still holds the segments, in a cache or in a backup, holds noise from now on.
    for (const table of ['content_key', 'caption', 'chapter', 'moment'])
      await tx.execute(`delete from ${table} where video_id = ?`, [videoId])
    await appendEvent(tx, {
      accountId,
      type: 'video.deleted',
      data: { id: videoId, object: 'video' },
    })
    await appendCommands(tx, [{ command: 'delete-video', subjectId: videoId, accountId }])
    return true
  })
}
