import { readdir } from 'node:fs/promises'
import { workFolderName } from '../domain/media-paths.ts'
import { isFinal } from '../domain/video-state.ts'
import { Video } from '../db/entities/video.ts'
import type { ActivityDeps } from './deps.ts'
import { removeWorkFolder } from './work-folder.ts'

const FOLDER = new RegExp(`^${workFolderName('([0-9a-f]{20})')}$`)

/**
 * Removes the work folders of videos that have ended or were deleted. Each machine sweeps its own
 * scratch space: the activity that ends a video may have run on another one.
 * Returns how many folders went.
 */
export async function sweepScratch(deps: Pick<ActivityDeps, 'db' | 'workDir'>): Promise<number> {
  const names = await readdir(deps.workDir).catch(() => [])
  const ids = names.flatMap((name) => FOLDER.exec(name)?.[1] ?? [])
  if (ids.length === 0) return 0
  const videos = await deps.db.em.fork().find(Video, { id: { $in: ids } })
  const live = new Set(
    videos.filter((v) => v.deletedAt === null && !isFinal(v.status)).map(({ id }) => id),
  )
  const done = ids.filter((id) => !live.has(id))
  for (const id of done) await removeWorkFolder(deps.workDir, id)
  return done.length
}
