import { LRUCache } from 'lru-cache'
import type { Database } from '../../../db/database.ts'
import { findRenditions } from '../../../db/playback.ts'
import { initKey, segmentKey } from '../../../domain/media-paths.ts'
import type { ObjectStorage } from '../../../storage/object-storage.ts'
import { paths } from '../paths.ts'

/** A segment's address, parsed. */
export interface SegmentPath {
  videoId: string
  rendition: string
  /** From 1; 0 is the initialisation segment. */
  number: number
  /** Storage key. */
  key: string
}

const FOLDER = paths.rendition('([0-9a-f]{20})', String.raw`(\d{1,4}p|audio-\d{1,2})`)
const PATH = new RegExp(String.raw`^${FOLDER}/(?:init\.mp4|([1-9]\d{0,6})\.m4s)(?:\?.*)?$`)

/** Parses a request's path, with or without a query. Returns null if it is not a segment's. */
export function parseSegmentPath(url: string): SegmentPath | null {
  const [, videoId, rendition, digits = '0'] = PATH.exec(url) ?? []
  if (videoId === undefined || rendition === undefined) return null
  const number = Number(digits)
  const key = number === 0 ? initKey(videoId, rendition) : segmentKey(videoId, rendition, number)
  return { videoId, rendition, number, key }
}

/** A segment's presigned address and size. */
interface SegmentRedirect {
  url: string
  sizeBytes: number
}

/** A segment keeps its address within such a window, so that browsers and proxies can cache it. */
const WINDOW_SECONDS = 300
/** How long a redirect may be cached. */
export const REDIRECT_MAX_AGE_SECONDS = 300
/** Long enough for a redirect that is sent at the end of a window and cached for its full age. */
const SIGNATURE_SECONDS = WINDOW_SECONDS + REDIRECT_MAX_AGE_SECONDS + 300

/** How long segment sizes are cached, and redirects to segments of a deleted video may continue. */
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
