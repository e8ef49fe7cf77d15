import { claimSource } from '../../commands/ingest/write-source.ts'
import { sourcePrefix } from '../../domain/videos/media-paths.ts'
import type { SourceOwner } from '../../sources/source-writer.ts'
import type { ActivityDeps } from '../deps.ts'
import { recordSource, type SourceOf } from '../source/source-keys.ts'
import { removeLateObjects } from '../upkeep/remove-late-objects.ts'

/**
 * The source of a video that is downloaded. A writer throws a SourceWriteLostError if another source was stored since `of` was
 * read; refuses with `video_gone` if the video was deleted or has ended.
 */
export const videoSource = (
  deps: Pick<ActivityDeps, 'db' | 'storage'>,
  of: SourceOf,
): SourceOwner => ({
  claim: () => claimSource(deps.db.em.fork(), of),
  async complete({ sourceId }, by) {
    const { videoId } = of
    // A ready video whose account keeps originals has the source.
    const late = { videoId, prefix: sourcePrefix(videoId) }
    await removeLateObjects(deps, { ...late, isUsedBy: ({ keepOriginal }) => keepOriginal })
    await recordSource(deps, videoId, sourceId, by)
  },
})
