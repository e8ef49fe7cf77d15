import pLimit from 'p-limit'
import { parsePartKey } from '../../domain/videos/media-paths.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import { CliError } from '../errors.ts'
import { objectListOf, type OpenedBackup } from './backup-folder.ts'
import { readList, type ListedContent } from './object-list.ts'

export interface RestoredObjects {
  /** What the storage did not have yet. */
  objects: number
  bytes: number
  /** Keys whose content in the backup is missing or was altered. */
  damaged: string[]
}

interface Options {
  storage: Pick<ObjectStorage, 'stat' | 'putStream'>
  /** True to continue after a damaged content. */
  skipsDamaged: boolean
  onVideo: (restored: RestoredObjects) => void
  /** Whether the objects of a video are restored; all of them by default. */
  isWanted?: (videoId: string) => boolean
  /** True to leave every object that the storage has, also one with another content, which may be newer. */
  keepsStored?: boolean
}

const CONCURRENCY = 8

/**
 * Stores the objects of a backup that the storage does not have. No content is stored without its checksum.
 * Safe to repeat. Throws a CliError that names the file of a damaged content, unless these are skipped.
 */
export async function restoreObjects(
  { path, pool }: OpenedBackup,
  { storage, skipsDamaged, onVideo, isWanted = () => true, keepsStored = false }: Options,
): Promise<RestoredObjects> {
  const restored: RestoredObjects = { objects: 0, bytes: 0, damaged: [] }
  const put = async (entry: ListedContent): Promise<void> => {
    if (keepsStored ? await storage.stat(entry.key) : await isStored(storage, entry)) return
    try {
      await storage.putStream(entry.key, pool.read(entry), contentTypeOf(entry.key))
      restored.objects += 1
      restored.bytes += entry.sizeBytes
    } catch (error) {
      const isDamaged = error instanceof CliError && error.code === 'backup_damaged'
      if (!isDamaged || !skipsDamaged) throw error
      restored.damaged.push(entry.key)
    }
  }
  const limit = pLimit(CONCURRENCY)
  for await (const { videoId, objects } of readList(objectListOf(path))) {
    if (!isWanted(videoId)) continue
    const puts = objects.map((entry) => limit(() => put(entry)))
    await Promise.allSettled(puts)
    await Promise.all(puts)
    onVideo(restored)
  }
  return restored
}

/** The segments of an attempt never change under their name; other objects are the same by their etag. */
async function isStored(storage: Options['storage'], { key, sizeBytes, etag }: ListedContent) {
  const facts = await storage.stat(key)
  if (facts?.sizeBytes !== sizeBytes) return false
  return facts.etag === etag || parsePartKey(key) !== null
}

const CONTENT_TYPES: Record<string, string> = {
  mp4: 'video/mp4',
  m4s: 'video/mp4',
  jpg: 'image/jpeg',
  vtt: 'text/vtt',
}

const contentTypeOf = (key: string): string =>
  CONTENT_TYPES[/\.([a-z0-9]+)$/.exec(key)?.[1] ?? ''] ?? 'application/octet-stream'
