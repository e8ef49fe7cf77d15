import { LRUCache } from 'lru-cache'
import type { Database } from '../../../db/database.ts'
import { findRenditions } from '../../../db/playback.ts'
import type { ObjectStorage } from '../../../storage/object-storage.ts'
import type { SegmentPath } from './segment-path.ts'

/** A segment's presigned address and size. */
export interface SegmentRedirect {
  url: string
  sizeBytes: number
}

/** A segment keeps its address within such a window, so that browsers and proxies can cache it. */
const WINDOW_SECONDS = 300
/** How long a redirect may be cached. */
export const REDIRECT_MAX_AGE_SECONDS = 300
/** Long enough for a redirect that is sent at the end of a window and cached for its full age. */
const SIGNATURE_SECONDS = WINDOW_SECONDS + REDIRECT_MAX_AGE_SECONDS + 300

/** Also how long redirects to segments of a deleted video may continue. */
const KEPT_MS = 60_000
const VIDEOS_MAX = 200

/** Segment sizes by rendition; index 0 is the initialisation segment. */
type Sizes = Map<string, number[]>

/**
 * Returns a function that finds the presigned address of a segment, or null if there is no such
 * segment. Queries the database once per video and minute.
 */
export function createRedirects(
  db: Database,
  presign: NonNullable<ObjectStorage['presign']>,
): (segment: SegmentPath) => Promise<SegmentRedirect | null> {
  const videos = new LRUCache<string, Sizes>({
    max: VIDEOS_MAX,
    ttl: KEPT_MS,
    fetchMethod: (videoId) => readSizes(db, videoId),
    ignoreFetchAbort: true,
  })
  return async ({ videoId, rendition, number, key }) => {
    const sizeBytes = (await videos.fetch(videoId))?.get(rendition)?.[number]
    if (sizeBytes === undefined) return null
    const windowMs = WINDOW_SECONDS * 1000
    const signedAt = new Date(Math.floor(Date.now() / windowMs) * windowMs)
    return { url: await presign(key, { ttlSeconds: SIGNATURE_SECONDS, signedAt }), sizeBytes }
  }
}

async function readSizes(db: Database, videoId: string): Promise<Sizes> {
  const rows = await findRenditions(db.em.fork(), videoId)
  return new Map(
    rows.map(({ name, facts }) => {
      const segments = facts.segments.map(({ sizeBytes }) => sizeBytes)
      const segmentBytes = segments.reduce((sum, bytes) => sum + bytes, 0)
      return [name, [facts.sizeBytes - segmentBytes, ...segments]]
    }),
  )
}
