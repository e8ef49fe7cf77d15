import { LRUCache } from 'lru-cache'
import type { ObjectStorage, StoredObject } from '../../../storage/object-storage.ts'

/** The objects that are asked for again and again, whole and in memory. */
export interface ObjectCache {
  /** The object; its `body` is null where it is to be streamed. Null where there is none. */
  find: (key: string) => StoredObject | Promise<StoredObject | null>
  /** Tells that an object is being sent; call what is returned once it is not any more. */
  hold: (object: StoredObject) => () => void
}

export const CACHE_DEFAULT_BYTES = 64 * 1024 ** 2

/** More than a segment of four seconds has at any bit rate of the ladder. */
const OBJECT_MAX_BYTES = 8 * 1024 ** 2
/** How long a deleted video's segments may still be answered: they are encrypted, and their keys gone. */
const KEPT_MS = 60_000
/** What an entry takes beside its bytes, roughly. */
const ENTRY_BYTES = 512
/** What slow viewers of many different segments may hold, in caches; beyond that they are streamed. */
const HELD_CACHES = 4

/** Keeps up to `maxBytes` of objects in memory, each for a minute (`keptMs`). */
export function createObjectCache(
  storage: ObjectStorage,
  maxBytes: number,
  keptMs = KEPT_MS,
): ObjectCache {
  const cache = new LRUCache<string, StoredObject>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }) => ENTRY_BYTES + (body?.length ?? 0),
    ttl: keptMs,
    ttlResolution: 1000,
    // Many who ask for one object at the same time wait for one read.
    fetchMethod: async (key) => (await storage.read(key, OBJECT_MAX_BYTES)) ?? undefined,
    ignoreFetchAbort: true,
  })
  const holders = new Map<StoredObject, number>()
  let heldBytes = 0
  return {
    find: (key) => {
      const known = cache.get(key)
      if (known) return known
      if (heldBytes > HELD_CACHES * maxBytes) return storage.read(key, 0)
      return cache.fetch(key).then((object) => object ?? null)
    },
    hold: (object) => {
      const before = holders.get(object) ?? 0
      if (before === 0) heldBytes += object.body?.length ?? 0
      holders.set(object, before + 1)
      return () => {
        const left = (holders.get(object) ?? 1) - 1
        if (left > 0) return void holders.set(object, left)
        holders.delete(object)
        heldBytes -= object.body?.length ?? 0
      }
    },
  }
}
