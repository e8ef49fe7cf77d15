import pLimit from 'p-limit'
import { mediaPrefix, sourcePrefix } from '../../domain/videos/media-paths.ts'
import {
  ObjectNotFoundError,
  type ListedObject,
  type ObjectStorage,
} from '../../storage/object-storage.ts'
import type { ListCursor, ListedContent, VideoObjects } from './object-list.ts'
import type { ObjectPool } from './object-pool.ts'

/** What was copied so far. */
export interface CopyCount {
  videos: number
  objects: number
  bytes: number
  /** Objects that were read, because no earlier list has them unchanged, and what of them was new in the pool. */
  readObjects: number
  newObjects: number
  newBytes: number
}

export const noCopies = (): CopyCount => ({
  videos: 0,
  objects: 0,
  bytes: 0,
  readObjects: 0,
  newObjects: 0,
  newBytes: 0,
})

interface CopyOptions {
  storage: Pick<ObjectStorage, 'list' | 'get'>
  pool: ObjectPool
  /** Earlier lists, the newest first. */
  earlier: ListCursor[]
  count: CopyCount
}

/** An object storage responds slowly, but to many requests at the same time. */
const CONCURRENCY = 8

/**
 * Copies the objects of a video into the pool, except those that an earlier list has with the same size and etag.
 * Resolves to those that the storage holds now; one that is removed meanwhile is missing.
 */
export async function copyVideoObjects(
  videoId: string,
  { storage, pool, earlier, count }: CopyOptions,
): Promise<VideoObjects> {
  const known = new Map<string, ListedContent>()
  for (const list of earlier.toReversed())
    for (const entry of await list.take(videoId)) known.set(entry.key, entry)
  const copy = async (object: ListedObject): Promise<ListedContent | null> => {
    const before = known.get(object.key)
    if (before && isSame(before, object) && (await pool.has(before))) return before
    return readObject(object, { storage, pool, count })
  }
  const limit = pLimit(CONCURRENCY)
  const copies: Promise<ListedContent | null>[] = []
  try {
    for (const prefix of [mediaPrefix(videoId), sourcePrefix(videoId)])
      for await (const object of storage.list(prefix)) {
        const copied = limit(() => copy(object))
        // A copy may fail while the list is still read; its error is thrown below.
        copied.catch(() => {})
        copies.push(copied)
      }
  } finally {
    // Also after a failure, so that nothing runs on when this rejects.
    await Promise.allSettled(copies)
  }
  const objects = (await Promise.all(copies)).filter((entry) => entry !== null)
  count.videos += 1
  count.objects += objects.length
  count.bytes += objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return { videoId, objects }
}

const isSame = (before: ListedContent, { sizeBytes, etag }: ListedObject): boolean =>
  before.sizeBytes === sizeBytes && before.etag === etag && etag !== ''

async function readObject(
  { key, etag }: ListedObject,
  { storage, pool, count }: Omit<CopyOptions, 'earlier'>,
): Promise<ListedContent | null> {
  try {
    const { stream, sizeBytes } = await storage.get(key)
    const { bytes, sha256, isNew } = await pool.add(stream)
    if (bytes !== sizeBytes) throw new Error(`${key} has ${sizeBytes} bytes, ${bytes} were read`)
    count.readObjects += 1
    if (isNew) {
      count.newObjects += 1
      count.newBytes += bytes
    }
    return { key, sizeBytes, sha256, etag }
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return null
    throw error
  }
}
