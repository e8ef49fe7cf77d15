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
  /** The video of a session. Resolves to null for a deleted video. What it resolves to is up to `keptMs` old. */
  find: (videoId: string) => Promise<ObservedVideo | null>
  /**
   * The same for a request without a session. Ids that anyone makes up take the place of no video that is watched:
   * the video has a place among these only once it `isProven` by the request.
   */
  findUnproven: (
    videoId: string,
    isProven: (video: ObservedVideo) => boolean,
  ) => Promise<ObservedVideo | null>
}

/** Many viewers may wait for one video. Shorter than the shortest interval of a reader, who would read the same twice. */
const KEPT_MS = 450
const VIDEOS_MAX = 100
/** Those that no request has proven yet. The first request of a viewer proves one. */
const UNPROVEN_MAX = 20

/** Simultaneous questions share one read. While the database is away, what was read before is returned. */
export function createGrowingVideos(db: Database, keptMs: number = KEPT_MS): GrowingVideos {
  const proven = createReader(db, keptMs, VIDEOS_MAX)
  const unproven = createReader(db, keptMs, UNPROVEN_MAX)
  return {
    find: proven.find,
    async findUnproven(videoId, isProven) {
      if (proven.has(videoId)) return proven.find(videoId)
      const video = await unproven.find(videoId)
      if (video && !proven.has(videoId) && isProven(video))
        proven.adopt(videoId, video, unproven.memoryOf(videoId))
      return video
    },
  }
}

function createReader(db: Database, keptMs: number, max: number) {
  const memories = new LRUCache<string, GrowingMemory>({ max })
  const memoryOf = (videoId: string): GrowingMemory => {
    const memory = memories.get(videoId) ?? newGrowingMemory()
    memories.set(videoId, memory)
    return memory
  }
  const videos = new LRUCache<string, { observed: ObservedVideo | null }>({
    max,
    ttl: keptMs,
    noDeleteOnStaleGet: true,
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
    allowStaleOnFetchRejection: true,
    fetchMethod: async (videoId) => ({ observed: await observe(db, videoId, memoryOf(videoId)) }),
  })
  return {
    memoryOf,
    has: (videoId: string): boolean => memories.has(videoId),
    find: async (videoId: string): Promise<ObservedVideo | null> =>
      (await videos.fetch(videoId))?.observed ?? null,
    /** Takes over what another reader has read. It may be as old as it gets, so it is read again next time. */
    adopt(videoId: string, observed: ObservedVideo, memory: GrowingMemory): void {
      memories.set(videoId, memory)
      videos.set(videoId, { observed }, { ttl: 1 })
    },
  }
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
