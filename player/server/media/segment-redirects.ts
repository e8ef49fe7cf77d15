import { LRUCache } from 'lru-cache'
import type { Database } from '../../../db/database.ts'
import { findRenditions } from '../../../db/playback.ts'
import type { ObjectStorage } from '../../../storage/object-storage.ts'
import type { SegmentPath } from './segment-path.ts'

/** Where a segment can be fetched, and how large it is. */
export interface SegmentRedirect {
  url: string
  sizeBytes: number
}

/** Within one of these a segment keeps its address, so that browsers and proxies keep the segment. */
const WINDOW_SECONDS = 300
/** How long a redirect may be kept. */
export const REDIRECT_MAX_AGE_SECONDS = 300
/** A redirect that is given out at a window's end and kept for its time still leads somewhere then. */
const SIGNATURE_SECONDS = WINDOW_SECONDS + REDIRECT_MAX_AGE_SECONDS + 300

/** Also how long a deleted video's segments are still redirected to; then they are gone. */
const KEPT_MS = 60_000
const VIDEOS_MAX = 200

/** Sizes of a video's segments by rendition, the initialisation segment first. */
type Sizes = Map<string, number[]>

/** Finds addresses of segments that exist; one look-up a video and minute, for all of them. */
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
