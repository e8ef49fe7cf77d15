import { LRUCache } from 'lru-cache'
import { NoResponseError, within } from '../../../processes/within.ts'
import type { ObjectStorage, StoredObject } from '../../../storage/object-storage.ts'
import { PlayerError } from '../player-error.ts'

/** Keeps frequently requested objects in memory. */
export interface ObjectCache {
  /**
   * Returns the object, or null if there is none. Its `body` is null if it has to be streamed. `expectedBytes` is its size as
   * far as it is known.
   */
  find: (key: string, expectedBytes: number) => StoredObject | Promise<StoredObject | null>
  /** Marks an object as being sent. Call the returned function when it no longer is. */
  hold: (object: StoredObject) => () => void
}

export const CACHE_DEFAULT_BYTES = 64 * 1024 ** 2

/** Larger than a four-second segment at any bit rate of the ladder. */
const OBJECT_MAX_BYTES = 8 * 1024 ** 2
/** How long segments of a deleted video may still be served. They are encrypted and their keys are gone. */
const KEPT_MS = 60_000
/** After this time a read no longer counts: a viewer's next request, which comes at once, begins another. */
const READ_DEADLINE_MS = 8_000
/** Approximate overhead of an entry. */
const ENTRY_BYTES = 512
/**
 * Limit on the bytes that are being read, or are held for slow viewers of many different segments, in multiples of the cache
 * size. Beyond it, segments are streamed.
 */
const HELD_CACHES = 4

/**
 * Creates a cache of up to `maxBytes`. Each object stays for `keptMs`, by default a minute. A read that takes longer than
 * `deadlineMs`, by default 8 s, fails with 503 for those who wait for it.
 */
export function createObjectCache(
  storage: ObjectStorage,
  maxBytes: number,
  { keptMs = KEPT_MS, deadlineMs = READ_DEADLINE_MS } = {},
): ObjectCache {
  let heldBytes = 0
  const cache = new LRUCache<string, StoredObject, number>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }) => ENTRY_BYTES + (body?.length ?? 0),
    ttl: keptMs,
    ttlResolution: 1000,
    // Simultaneous requests for an object share one read. What is being read counts as held, because one client can request
    // thousands of objects at once.
    fetchMethod: async (key, _stale, { context: expectedBytes }) => {
      heldBytes += expectedBytes
      const read = inTime(storage.read(key, OBJECT_MAX_BYTES), deadlineMs)
      return (await read.finally(() => (heldBytes -= expectedBytes))) ?? undefined
    },
    ignoreFetchAbort: true,
  })
  const holders = new Map<StoredObject, number>()
  return {
    find: (key, expectedBytes) => {
      const known = cache.get(key)
      if (known) return known
      if (heldBytes > HELD_CACHES * maxBytes) return storage.read(key, 0)
      return cache.fetch(key, { context: expectedBytes }).then((object) => object ?? null)
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

async function inTime<T>(read: Promise<T>, deadlineMs: number): Promise<T> {
  try {
    return await within(deadlineMs, read)
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error
    throw new PlayerError(503, 'service_unavailable', 'Try again in a moment.')
  }
}
