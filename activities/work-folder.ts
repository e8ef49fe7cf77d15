import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findVideosById } from '../db/videos.ts'
import { workFolderName } from '../domain/media-paths.ts'
import { isFinal } from '../domain/video-state.ts'
import type { ActivityDeps } from './deps.ts'

/** The files of one video on this machine during its ingest. */
export interface WorkFolder {
  path: string
  /** The complete source, on the machine that downloaded it. */
  sourcePath: string
  /** The pieces of the source that another machine has read (`source-pieces.ts`). */
  piecesPath: string
  /** The download in progress, and its validator. */
  partialPath: string
  partialFactsPath: string
  /** The unencrypted output of the first rung, from which the storyboard is made. */
  previewPath: string
}

/** Creates the folder of a video under `workDir` unless it exists, and returns its paths. */
export async function openWorkFolder(workDir: string, videoId: string): Promise<WorkFolder> {
  const path = join(workDir, workFolderName(videoId))
  await mkdir(path, { recursive: true, mode: 0o700 })
  return {
    path,
    sourcePath: join(path, 'source'),
    piecesPath: join(path, 'pieces'),
    partialPath: join(path, 'source.part'),
    partialFactsPath: join(path, 'source.part.json'),
    previewPath: join(path, 'preview.mp4'),
  }
}

/** Removes a video's scratch space from this machine. */
export const removeWorkFolder = (workDir: string, videoId: string): Promise<void> =>
  rm(join(workDir, workFolderName(videoId)), { recursive: true, force: true })

/** Returns whether a file or folder exists at `path`. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** The beginning of the name of a folder for one uploaded poster. */
export const POSTER_FOLDER = 'poster-'
/** After this time the activity that made such a folder was killed. */
const POSTER_FOLDER_KEPT_MS = 3_600_000

const FOLDER = new RegExp(`^${workFolderName('([0-9a-f]{20})')}$`)

/**
 * Removes the work folders of videos that have ended or were deleted, and folders of uploaded posters
 * whose worker was killed. Each machine sweeps its scratch space, because the activity that ends a
 * video may run on another machine. Returns how many folders of videos it removed.
 */
export async function sweepScratch({
  db,
  workDir,
}: Pick<ActivityDeps, 'db' | 'workDir'>): Promise<number> {
  const names = await readdir(workDir).catch(() => [])
  await sweepPosterFolders(workDir, names)
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

async function sweepPosterFolders(workDir: string, names: string[]): Promise<void> {
  for (const name of names.filter((one) => one.startsWith(POSTER_FOLDER))) {
    const path = join(workDir, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > POSTER_FOLDER_KEPT_MS)
      await rm(path, { recursive: true, force: true })
  }
}
