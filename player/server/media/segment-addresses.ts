import { LRUCache } from 'lru-cache'
import type { Database } from '../../../db/database.ts'
import { findRenditions } from '../../../db/playback/playback.ts'
import { segmentSize, type GrowingTrack } from '../../../domain/playback/growing-video.ts'
import { segmentKey } from '../../../domain/videos/media-paths.ts'
import type { Rendition } from '../../../domain/videos/rendition.ts'
import type { ObjectStorage } from '../../../storage/object-storage.ts'
import type { GrowingVideos, ObservedVideo } from '../growing/growing-videos.ts'
import { paths } from '../paths.ts'

/** A segment's address, parsed. */
export interface SegmentPath {
  videoId: string
  rendition: string
  /** From the manifest of a video that grows: the attempt that made its first chunk. Otherwise null. */
  token: string | null
  /** From 1; 0 is the initialisation segment. */
  number: number
}

const FOLDER = paths.rendition('([0-9a-f]{20})', String.raw`(\d{1,4}p|audio-\d{1,2})`)
const FILE = String.raw`(?:init\.mp4|([1-9]\d{0,6})\.m4s)`
const PATH = new RegExp(String.raw`^${FOLDER}(?:/([0-9a-f]{8}))?/${FILE}(?:\?.*)?$`)

/** Parses a request's path, with or without a query. Returns null if it is not a segment's. */
export function parseSegmentPath(url: string): SegmentPath | null {
  const [, videoId, rendition, token = null, digits = '0'] = PATH.exec(url) ?? []
  if (videoId === undefined || rendition === undefined) return null
  return { videoId, rendition, token, number: Number(digits) }
}

/** Where a segment of a published rendition is stored. */
interface StoredSegment {
  key: string
  /** Null if the rendition has fewer segments. */
  sizeBytes: number | null
}

/** How long segments of a deleted video may still be found. They are encrypted and their keys are gone. */
const KEPT_MS = 60_000
/** A rendition that is not known may have just been published, so its video is read again after this time. */
const REREAD_MS = 1_000
/** How long a video is found without the database before it is asked again. */
const RETRY_MS = 15_000
/** Of all cached videos together: 40 MB, or 20 hours of video in six rungs. */
const SEGMENTS_MAX = 1_000_000
/** What a cached video without segments takes, in segments. */
const VIDEO_SEGMENTS = 10

interface KnownVideo {
  readAtMs: number
  renditions: ReadonlyMap<string, Rendition>
}

/** Finds where a segment is stored; null if no such rendition is published. Waits only if the video is not cached. */
export type FindSegment = (
  segment: SegmentPath,
) => StoredSegment | null | Promise<StoredSegment | null>

/**
 * Returns a function that finds segments of published renditions. Queries the database at most once per video and
 * minute, or `keptMs`; while the database is away, videos that were read before are still found.
 */
export function createSegmentFinder(
  db: Database,
  growing: GrowingVideos,
  keptMs = KEPT_MS,
): FindSegment {
  const videos = new LRUCache<string, KnownVideo>({
    maxSize: SEGMENTS_MAX,
    sizeCalculation: countSegments,
    ttl: keptMs,
    // A stale video is what is left while the database is away.
    noDeleteOnStaleGet: true,
    ignoreFetchAbort: true,
    fetchMethod: async (videoId, known, { options }) => {
      try {
        return { readAtMs: performance.now(), renditions: await readRenditions(db, videoId) }
      } catch (error) {
        if (!known) throw error
        options.ttl = RETRY_MS
        return known
      }
    },
  })
  const readAgain = async (segment: SegmentPath): Promise<StoredSegment | null> => {
    const known = videos.get(segment.videoId)
    const forceRefresh = known !== undefined && performance.now() - known.readAtMs > REREAD_MS
    const video = await videos.fetch(segment.videoId, { forceRefresh })
    return video ? locate(video, segment) : null
  }
  return (segment) => {
    if (segment.token !== null) return findGrowingSegment(growing, segment)
    const known = videos.get(segment.videoId)
    return (known && locate(known, segment)) ?? readAgain(segment)
  }
}

const countSegments = ({ renditions }: KnownVideo): number =>
  [...renditions.values()].reduce((sum, { segments }) => sum + segments.length, VIDEO_SEGMENTS)

function locate(
  { renditions }: KnownVideo,
  { videoId, rendition, number }: SegmentPath,
): StoredSegment | null {
  const facts = renditions.get(rendition)
  if (!facts) return null
  const sizeBytes = number === 0 ? initBytes(facts) : facts.segments[number - 1]?.sizeBytes
  return { key: segmentKey(videoId, facts, number), sizeBytes: sizeBytes ?? null }
}

/** Finds a segment of a video that grows, or has grown since its player began. */
async function findGrowingSegment(
  growing: GrowingVideos,
  segment: SegmentPath,
): Promise<StoredSegment | null> {
  const { videoId, number } = segment
  // Without a session, the token says that the request comes from a manifest of the video.
  const isProven = (one: ObservedVideo): boolean => findTrack(one, segment) !== null
  const video = await growing.findUnproven(videoId, isProven)
  const track = video && findTrack(video, segment)
  if (!track) return null
  const sizeBytes = number === 0 ? initBytes(track.rendition) : segmentSize(track, number)
  if (sizeBytes === null) return null
  return { key: segmentKey(videoId, track.rendition, number), sizeBytes }
}

const findTrack = (
  { tracks }: ObservedVideo,
  { rendition, token }: SegmentPath,
): GrowingTrack | null =>
  (tracks ? [tracks.picture, ...tracks.audio] : []).find(
    (track) => track.rendition.name === rendition && track.token === token,
  ) ?? null

const initBytes = ({ sizeBytes, segments }: Rendition): number =>
  segments.reduce((bytes, segment) => bytes - segment.sizeBytes, sizeBytes)

async function readRenditions(db: Database, videoId: string): Promise<Map<string, Rendition>> {
  const rows = await findRenditions(db.em.fork(), videoId)
  return new Map(rows.map(({ name, facts }) => [name, facts]))
}

/** A segment keeps its address within such a window, so that browsers and proxies can cache it. */
const WINDOW_SECONDS = 300
/** How long a redirect may be cached. */
export const REDIRECT_MAX_AGE_SECONDS = 300
/** Long enough for a redirect that is sent at the end of a window and cached for its full age. */
const SIGNATURE_SECONDS = WINDOW_SECONDS + REDIRECT_MAX_AGE_SECONDS + 300

/** Returns the presigned address of an object. */
export function presignSegment(
  presign: NonNullable<ObjectStorage['presign']>,
  key: string,
): Promise<string> {
  const windowMs = WINDOW_SECONDS * 1000
  const signedAt = new Date(Math.floor(Date.now() / windowMs) * windowMs)
  return presign(key, { ttlSeconds: SIGNATURE_SECONDS, signedAt })
}
