import { readVideosWithMedia } from '../../db/backup/videos.ts'
import { openDatabase } from '../../db/database.ts'
import { mediaPrefix } from '../../domain/videos/media-paths.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import { openBackup } from './backup-folder.ts'
import { describeFailure } from './errors.ts'
import { incompleteRenditions } from './expected-objects.ts'
import type { Manifest } from './manifest.ts'
import type { RestoreOptions } from './restore-backup.ts'
import { restoreObjects, type RestoredObjects } from './restore-objects.ts'
import { withStorageErrors } from './storage-errors.ts'

interface RestoredMedia {
  manifest: Manifest
  restored: RestoredObjects
  /** Videos of the database that still lack objects, such as those that were added after the backup. */
  incomplete: string[]
}

/**
 * Stores the objects of a backup that the storage lost, for the videos that the database still has: it is not changed,
 * and a video that was deleted since stays deleted. Safe to repeat, also while processes run.
 */
export const restoreLostObjects = (
  options: Omit<RestoreOptions, 'masterKeys'>,
): Promise<RestoredMedia> => describeFailure(restore(options))

async function restore({
  dir,
  name,
  databaseUrl,
  storage: given,
  skipsDamaged,
}: Omit<RestoreOptions, 'masterKeys'>): Promise<RestoredMedia> {
  const backup = await openBackup(dir, name)
  const storage = withStorageErrors(given)
  const db = await openDatabase({ url: databaseUrl, poolSize: 2 })
  try {
    const ids = new Set<string>()
    for await (const { id } of readVideosWithMedia(() => db.em.fork())) ids.add(id)
    const isWanted = (videoId: string) => ids.has(videoId)
    const restored = await restoreObjects(backup, {
      storage,
      skipsDamaged,
      onVideo: () => {},
      isWanted,
      keepsStored: true,
    })
    const incomplete: string[] = []
    for await (const video of readVideosWithMedia(() => db.em.fork())) {
      const keys = await listKeys(storage, video.id)
      if (incompleteRenditions(video, (key) => keys.has(key)).length > 0) incomplete.push(video.id)
    }
    return { manifest: backup.manifest, restored, incomplete }
  } finally {
    await db.close(true)
  }
}

async function listKeys(
  storage: Pick<ObjectStorage, 'list'>,
  videoId: string,
): Promise<Set<string>> {
  const keys = new Set<string>()
  for await (const { key } of storage.list(mediaPrefix(videoId))) keys.add(key)
  return keys
}
