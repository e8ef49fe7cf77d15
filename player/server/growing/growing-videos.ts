import { LRUCache } from 'lru-cache'
import type { Database } from '../../../db/database.ts'
import { newGrowingMemory, type GrowingMemory } from '../../../db/ingest/growing-tracks.ts'
import {
  findGrowingVideo,
  findParts,
  type GrowingVideo,
} from '../../../db/ingest/growing-videos.ts'
import { findPlayheads } from '../../../db/ingest/playheads.ts'
import { readyRanges, type TimeRange } from '../../../domain/playback/growing-video.ts'
import { startsMs, type EncodedPart } from '../../../domain/videos/preparation.ts'

/** A video that may still be encoded, with what its encoders report. */
export interface ObservedVideo extends GrowingVideo {
  /** What plays of it. */
  ready: TimeRange[]
  parts: EncodedPart[]
  /** The chunks that viewers watch now. */
  playheads: number[]
  /** Where the chunks start; empty for a video without an outline. */
  startsMs: number[]
}

/** Reads videos that may still be encoded. */
export interface GrowingVideos {
  /** Resolves to null for a deleted video. What it resolves to is up to `keptMs` old. */
  find: (videoId: string) => Promise<ObservedVideo | null>
}

/** Many viewers may wait for one video. Shorter than the shortest interval of a reader, who would read the same twice. */
const KEPT_MS = 450
const VIDEOS_MAX = 100

/** Simultaneous questions share one read. While the database is away, what was read before is returned. */
export function createGrowingVideos(db: Database, keptMs: number = KEPT_MS): GrowingVideos {
  const memories = new LRUCache<string, GrowingMemory>({ max: VIDEOS_MAX })
  const memoryOf = (videoId: string): GrowingMemory => {
    const memory = memories.get(videoId) ?? newGrowingMemory()
    memories.set(videoId, memory)
    return memory
  }
  const videos = new LRUCache<string, { observed: ObservedVideo | null }>({
    max: VIDEOS_MAX,
    ttl: keptMs,
    noDeleteOnStaleGet: true,
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
    allowStaleOnFetchRejection: true,
    fetchMethod: async (videoId) => ({ observed: await observe(db, videoId, memoryOf(videoId)) }),
  })
  return { find: async (videoId) => (await videos.fetch(videoId))?.observed ?? null }
}

async function observe(
  db: Database,
  videoId: string,
  memory: GrowingMemory,
): Promise<ObservedVideo | null> {
  const em = db.em.fork()
  const video = await findGrowingVideo(em, videoId, memory)
  if (!video) return null
  const { outline, tracks } = video
  const ready = tracks ? readyRanges(tracks) : []
  if (!outline) return { ...video, ready, parts: [], playheads: [], startsMs: [] }
  const { rung, audio, chunks, frameRate } = outline
  return {
    ...video,
    ready,
    parts: await findParts(em, videoId, [rung, ...audio]),
    playheads: await findPlayheads(em, videoId),
    startsMs: startsMs(chunks, frameRate),
  }
}
