import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findVideosById } from '../../db/videos/videos.ts'
import { workFolderName } from '../../domain/videos/media-paths.ts'
import { isFinal } from '../../domain/videos/video-state.ts'
import type { ActivityDeps } from '../deps.ts'

/**
 * The files of one video on this machine during its ingest. What activities share, and what outlives a process, is encrypted with
 * the key of the source (ADR 0055).
 */
export interface WorkFolder {
  /**
   * Where the running activity makes its files, with unique names. The folder belongs to this process: another removes
   * it once this one has ended.
   */
  path: string
  /** The folder of the files below. */
  shared: string
  /** The pieces of the source with this id that another machine has read, as they are stored (`source-pieces.ts`). */
  piecesPath: (sourceId: string) => string
  /** What is known of the download of this machine (`partial-download.ts`). */
  factsPath: string
}

/** Creates the folder of a video under `workDir` unless it exists, and returns its paths. */
export async function openWorkFolder(
  { workDir, ownDir }: Pick<ActivityDeps, 'workDir' | 'ownDir'>,
  videoId: string,
): Promise<WorkFolder> {
  const shared = join(workDir, workFolderName(videoId))
  for (const path of [shared, ownDir]) await mkdir(path, { recursive: true, mode: 0o700 })
  return {
    path: ownDir,
    shared,
    piecesPath: (sourceId) => join(shared, `sealed-${sourceId}`),
    factsPath: join(shared, 'download.json'),
  }
}

/** Removes a video's scratch space from this machine. */
export const removeWorkFolder = (workDir: string, videoId: string): Promise<void> =>
  rm(join(workDir, workFolderName(videoId)), { recursive: true, force: true })

const FOLDER = new RegExp(`^${workFolderName('([0-9a-f]{20})')}$`)

/**
 * Removes the work folders of videos that have ended or were deleted. Each machine sweeps its scratch space, because the activity that ends
 * a video may run on another machine. Returns how many folders it removed.
 */
export async function sweepScratch({
  db,
  workDir,
}: Pick<ActivityDeps, 'db' | 'workDir'>): Promise<number> {
  const names = await readdir(workDir).catch(() => [])
  const ids = names.flatMap((name) => FOLDER.exec(name)?.[1] ?? [])
  if (ids.length === 0) return 0
  const videos = await findVideosById(db.em.fork(), ids)
  const live = new Set(
    videos.filter((v) => v.deletedAt === null && !isFinal(v.status)).map(({ id }) => id),
  )
  const done = ids.filter((id) => !live.has(id))
  for (const id of done) await removeWorkFolder(workDir, id)
  return done.length
}
