import { framesPerSecond } from './rendition.ts'
import type { SourceFacts } from './source-facts.ts'

/** How a film is cut into parts that are encoded and published separately. All rungs share one plan. */
export interface ChunkPlan {
  /** The frames of every chunk but the last one: a multiple of two groups of pictures. */
  chunkFrames: number
  /** 1 if the film is encoded whole. */
  count: number
}

/** A range of frames on the constant grid of the output: frame `n` is shown at `n` divided by the frame rate. */
export interface Chunk {
  /** From 0. */
  index: number
  startFrame: number
  /** The first frame after the chunk; null for the last chunk, which ends where the source does. */
  endFrame: number | null
  /** The number of its first segment in the film, from 1. */
  firstSegment: number
}

/** What an encoder reports of one chunk, and of the frames of the source between its ends. */
export interface EncodedChunk {
  /** Frames of each rung. */
  frames: number
  framesDecoded: number
  /** Packets that the decoder refused. Absent, as the fields below, in chunks that older workers recorded. */
  framesUndecodable?: number
  /** Frames that could be decoded only in part. */
  framesPartial?: number
  /** True if the demuxer skipped bytes that belong to no packet. */
  hasSkipped?: boolean
  /** True if the file ends within a packet. */
  isCut?: boolean
}

/** The chunk of a film that is encoded whole. */
export const WHOLE_FILM: Chunk = { index: 0, startFrame: 0, endFrame: null, firstSegment: 1 }

/** Closed groups of two seconds, so that players can switch rungs at every segment. */
const GOP_SECONDS = 2
const GOPS_PER_SEGMENT = 2
/** Audio has no groups of pictures, and no chunks. */
export const AUDIO_SEGMENT_SECONDS = 4
/**
 * Shorter chunks cost more processor time, because each decodes from the keyframe before it; longer ones lose more
 * work when a worker is killed.
 */
const CHUNK_SECONDS = 32
/** Longer chunks keep the workflow history of a long film small. */
const CHUNKS_MAX = 320

/**
 * Containers that store the time of each frame and can be read from any keyframe: the names of ffmpeg's demuxers.
 * Transport and program streams and raw streams are missing: their demuxers estimate where a time is.
 */
const SEEKABLE = ['mov', 'matroska', 'avi', 'asf']

/** Returns the number of frames between two keyframes. */
export const gopFrames = (frameRate: string): number =>
  Math.max(1, Math.round(GOP_SECONDS * framesPerSecond(frameRate)))

/** Returns the number of frames of a media segment: about four seconds. */
export const segmentFrames = (frameRate: string): number => GOPS_PER_SEGMENT * gopFrames(frameRate)

/** Returns the exact duration of a media segment, such as 4.004 for `30000/1001`. */
export const segmentSeconds = (frameRate: string): number => {
  const [numerator = 0, denominator = 1] = frameRate.split('/').map(Number)
  return (segmentFrames(frameRate) * denominator) / numerator
}

/**
 * Plans the chunks of a film: of about 32 s, longer for a film of more than 2.8 h, and at most 320. The last chunk
 * has half to one and a half times the length of the others, because the true duration is known only when the source
 * is decoded. A film of unknown duration, or in a container that cannot be read from the middle, is encoded whole.
 */
export function planChunks(facts: SourceFacts, chunkSeconds = CHUNK_SECONDS): ChunkPlan {
  const { container, video } = facts
  const unit = segmentFrames(video.frameRate)
  const frames = framesOf(facts)
  const wanted = Math.round((chunkSeconds * framesPerSecond(video.frameRate)) / unit)
  const chunkFrames = Math.max(1, wanted, Math.ceil(frames / unit / CHUNKS_MAX)) * unit
  const isSeekable = container.split(',').some((name) => SEEKABLE.includes(name))
  return { chunkFrames, count: isSeekable ? Math.max(1, Math.round(frames / chunkFrames)) : 1 }
}

/** The stated frames of the picture; 0 if the file states no duration. A picture that starts late has more. */
function framesOf({ durationMs, video }: SourceFacts): number {
  const stated = [durationMs, video.durationMs].filter((ms) => ms !== null)
  return stated.length === 0 ? 0 : (Math.min(...stated) * framesPerSecond(video.frameRate)) / 1000
}

/** Returns chunk `index` of a plan. Throws if the plan has no such chunk. */
export function chunkOf(plan: ChunkPlan, frameRate: string, index: number): Chunk {
  const { chunkFrames, count } = plan
  if (index < 0 || index >= count) throw new Error(`the plan has ${count} chunks, not ${index + 1}`)
  const startFrame = index * chunkFrames
  return {
    index,
    startFrame,
    endFrame: index === count - 1 ? null : startFrame + chunkFrames,
    firstSegment: 1 + startFrame / segmentFrames(frameRate),
  }
}
