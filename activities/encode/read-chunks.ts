import { LRUCache } from 'lru-cache'
import type { Chunk } from '../../domain/encoding/chunks.ts'

/** Videos whose chunks a process remembers: more than are encoded at once. */
const VIDEOS_MAX = 1_000

type Frames = Pick<Chunk, 'startFrame' | 'endFrame'>

/** The chunks that this process has encoded of the first rungs of videos, and so the parts of their sources that this machine has. */
export interface ReadChunks {
  add(videoId: string, chunk: Frames): void
  /** True if one of them overlaps the chunk, of any plan. */
  has(videoId: string, chunk: Frames): boolean
}

/** Forgotten with the process: what a new one does not know, it fetches. */
export function createReadChunks(): ReadChunks {
  const videos = new LRUCache<string, Frames[]>({ max: VIDEOS_MAX })
  return {
    add: (videoId, chunk) => void videos.set(videoId, [...(videos.get(videoId) ?? []), chunk]),
    has: (videoId, chunk) => (videos.get(videoId) ?? []).some((one) => overlap(one, chunk)),
  }
}

const overlap = (one: Frames, other: Frames): boolean =>
  one.startFrame < (other.endFrame ?? Infinity) && other.startFrame < (one.endFrame ?? Infinity)
