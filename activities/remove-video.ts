import { Context } from '@temporalio/activity'
import type { ActivityDeps } from './deps.ts'
import type { VideoInput } from './download-source.ts'
import { removeMedia, removeScratch } from './end-video.ts'

type Deps = Pick<ActivityDeps, 'db' | 'storage' | 'workDir'>

/** Removes the objects and what is left of the rows of a deleted video; its own row stays, deleted. */
export function createRemoveVideo(deps: Deps) {
  return async function removeVideo({ videoId }: VideoInput): Promise<void> {
    const em = deps.db.em.fork()
    const deleted = await em.execute<unknown[]>(
      'select 1 from video where id = ? and deleted_at is not null',
      [videoId],
    )
    if (deleted.length === 0) return
    const { heartbeat } = Context.current()
    const onProgress = () => heartbeat()
    await removeMedia(deps, videoId, onProgress)
    await removeScratch(deps, videoId, onProgress)
    await em.transactional(async (tx) => {
      // An activity that was under way at the deletion may have written after it.
      await tx.execute('delete from content_key where video_id = ?', [videoId])
      await tx.execute('update video set removed_at = now() where id = ?', [videoId])
    })
  }
}
