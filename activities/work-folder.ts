import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { findVideosById } from '../db/videos.ts'
import { sourceKey, workFolderName } from '../domain/media-paths.ts'
import { isFinal } from '../domain/video-state.ts'
import type { MediaWork } from '../media/run-tool.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { withProgress } from '../storage/read-with-progress.ts'
import type { ActivityDeps } from './deps.ts'

/** The files of one video on this machine during its ingest. */
export interface WorkFolder {
  path: string
  /** The complete source, once `ensureSource` has returned. */
  sourcePath: string
  /** The download in progress, and its validator. */
  partialPath: string
  partialFactsPath: string
}

/** Creates the folder of a video under `workDir` unless it exists, and returns its paths. */
export async function openWorkFolder(workDir: string, videoId: string): Promise<WorkFolder> {
  const path = join(workDir, workFolderName(videoId))
  await mkdir(path, { recursive: true, mode: 0o700 })
  return {
    path,
    sourcePath: join(path, 'source'),
    partialPath: join(path, 'source.part'),
    partialFactsPath: join(path, 'source.part.json'),
  }
}

/**
 * Copies the source from object storage unless this machine has it. Safe for two activities at the same time.
 */
export async function ensureSource(
  storage: ObjectStorage,
  folder: WorkFolder,
  videoId: string,
  { signal, onProgress }: MediaWork,
): Promise<void> {
  if (await exists(folder.sourcePath)) return
  const { stream } = await storage.get(sourceKey(videoId))
  const temporary = `${folder.sourcePath}.${crypto.randomUUID()}`
  const file = createWriteStream(temporary, { mode: 0o600 })
  try {
    await pipeline(stream, withProgress(onProgress), file, { signal })
    await rename(temporary, folder.sourcePath)
  } finally {
    await rm(temporary, { force: true })
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
