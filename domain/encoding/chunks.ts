import type { SourceFacts } from '../ingest/source-facts.ts'
import { framesPerSecond } from '../videos/rendition.ts'
import type { Rung } from './ladder.ts'

/** What a plan needs of a source. */
type Picture = Pick<SourceFacts, 'durationMs' | 'video'>

/**
 * How the first rung of a video, or all others, are cut into parts that are encoded and published separately. Segments are the
 * same in every plan of a video.
 */
export interface ChunkPlan {
  /** The frames of a chunk: a multiple of two groups of pictures. */
  chunkFrames: number
  /** Of all chunks; 1 if the video is encoded whole. */
  count: number
  /**
   * The frames of the chunks into which the first one is cut; absent in plans of older workflows, of short videos, and of
   * short chunks.
   */
  head?: number[]
  /** Shorter chunks at the end; absent in plans of older workflows, and of short videos. */
  tail?: ChunkTail
}

/** Chunks at the end of a video, so that machines that share it finish at nearly the same time. */
interface ChunkTail {
  /** The frames of each but the last one, which ends where the source does. */
  frames: number
  count: number
}

/** A range of frames on the constant grid of the output: frame `n` is shown at `n` divided by the frame rate. */
export interface Chunk {
  /** From 0. */
  index: number
  startFrame: number
  /** The first frame after the chunk; null for the last chunk, which ends where the source does. */
  endFrame: number | null
  /** The number of its first segment in the video, from 1. */
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

/** The chunk of a video that is encoded whole. */
export const WHOLE_VIDEO: Chunk = { index: 0, startFrame: 0, endFrame: null, firstSegment: 1 }

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
/** A video plays with its first chunk, so that one has eight seconds. */
const HEAD_SEGMENTS = 2
/** Most that a chunk of the other rungs holds: pixels of the largest rung in 32 s of 720p at 30 frames per second. */
const LATER_PIXELS = 1280 * 720 * 30 * CHUNK_SECONDS
/** Below 12 s, chunks take far more processor time: they decode from keyframes that are up to ten seconds before them. */
const LATER_SEGMENTS_MIN = 3
/** Longer chunks keep the workflow history of a long video small. */
const CHUNKS_MAX = 320
/** The last chunks are cut in halves: at most four of them, and at most a quarter, as each half costs processor time. */
const HALVED_MAX = 4
const HALVED_SHARE = 1 / 4

/**
 * Containers that store the time of each frame and can be read from any keyframe: the names of ffmpeg's demuxers.
 * Transport and program streams and raw streams are missing: their demuxers estimate where a time is.
 */
const SEEKABLE = ['mov', 'matroska', 'avi', 'asf']

/** True if chunks of a source can be read from its own file. */
const isSeekable = (container: string): boolean =>
  container.split(',').some((name) => SEEKABLE.includes(name))

/**
 * Of the others, those whose picture a copy holds exactly (ADR 0046). Program and raw streams leave out the times of frames, and
 * a copy cannot hold other codecs.
 */
const COPIED = {
  containers: ['mpegts', 'flv', 'mxf'],
  codecs: ['h264', 'hevc', 'mpeg2video'],
}

/** True if a source would have several chunks if its container could be read from the middle, and a copy can be tried. */
export function isWorthCopying(facts: SourceFacts, chunkSeconds?: number): boolean {
  const { container, video } = facts
  const isCopied = COPIED.containers.includes(container) && COPIED.codecs.includes(video.codec)
  return isCopied && planChunks(facts, chunkSeconds, true).count > 1
}

/** True if the chunks of a plan are read from a copy of the picture. A video that is encoded whole is read from its source. */
export const isReadFromCopy = (container: string, plan: Pick<ChunkPlan, 'count'>): boolean =>
  plan.count > 1 && !isSeekable(container)

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
 * Plans the chunks of a video: of about 32 s, longer for a video of more than 2.8 h, and at most 320. The last quarter
 * of them, at most four, is cut in halves, and the first one is cut in chunks of 8, 8 and 16 s. The last chunk has half to one and a half times the length of the one before,
 * because the true duration is known only when the source is decoded. A video of unknown duration is encoded whole; so is one in a container that
 * cannot be read from the middle, unless its picture was copied into one that can.
 */
export function planChunks(
  facts: SourceFacts,
  chunkSeconds = CHUNK_SECONDS,
  hasCopy = false,
): ChunkPlan {
  const { container, video } = facts
  const unit = segmentFrames(video.frameRate)
  const frames = framesOf(facts)
  const wanted = Math.round((chunkSeconds * framesPerSecond(video.frameRate)) / unit)
  const even = cutEvenly(frames, unit, wanted)
  if (!hasCopy && !isSeekable(container)) return { ...even, count: 1 }
  return withHead(withTail(even, frames, unit), unit)
}

/** Cuts a video in chunks of `wanted` segments, or of as many as CHUNKS_MAX requires. A segment has `unit` frames. */
function cutEvenly(frames: number, unit: number, wanted: number): ChunkPlan {
  const chunkFrames = Math.max(1, wanted, Math.ceil(frames / unit / CHUNKS_MAX)) * unit
  return { chunkFrames, count: Math.max(1, Math.round(frames / chunkFrames)) }
}

/** Cuts the last chunks of a plan in halves of whole segments, of `unit` frames each. */
function withTail(plan: ChunkPlan, frames: number, unit: number): ChunkPlan {
  const { chunkFrames, count } = plan
  const halved = Math.min(HALVED_MAX, Math.floor(count * HALVED_SHARE))
  const tailFrames = Math.floor(chunkFrames / unit / 2) * unit
  if (halved === 0 || tailFrames === 0) return plan
  const long = count - halved
  const tail = {
    frames: tailFrames,
    count: Math.round((frames - long * chunkFrames) / tailFrames),
  }
  return { chunkFrames, count: long + tail.count, tail }
}

/**
 * Cuts the first chunk of a plan in chunks of which each is as long as all before it. So the first one plays soon, and an
 * encoder that is twice as fast as real time has the next one when it is needed.
 */
function withHead(plan: ChunkPlan, unit: number): ChunkPlan {
  const segments = plan.chunkFrames / unit
  if (plan.count === 1 || segments < 2 * HEAD_SEGMENTS) return plan
  const head: number[] = []
  for (let done = 0; done < segments; done += (head.at(-1) ?? 0) / unit)
    head.push(Math.min(Math.max(HEAD_SEGMENTS, done), segments - done) * unit)
  return { ...plan, count: plan.count - 1 + head.length, head }
}

/** Returns a plan whose first chunk is as long as the others. */
export function withoutHead({ head, ...plan }: ChunkPlan): ChunkPlan {
  return head ? { ...plan, count: plan.count - head.length + 1 } : plan
}

/**
 * Returns the plan of the rungs with which no video begins to play, of which `plan` is that of the first rung. Large pictures
 * have shorter chunks, of at least 12 s, so that a killed worker loses no more of them than of small ones; they are still at
 * most 320. As no machine waits long for a short one, the last are not cut in halves.
 */
export function planLaterChunks(
  plan: ChunkPlan,
  facts: Picture,
  rungs: readonly Pick<Rung, 'width' | 'height'>[],
): ChunkPlan {
  if (plan.count === 1) return plan
  const unit = segmentFrames(facts.video.frameRate)
  const pixels = Math.max(...rungs.map(({ width, height }) => width * height))
  const wanted = Math.max(LATER_SEGMENTS_MIN, Math.floor(LATER_PIXELS / pixels / unit))
  const even = cutEvenly(framesOf(facts), unit, wanted)
  return even.chunkFrames < plan.chunkFrames ? even : withoutHead(plan)
}

/** The stated frames of the picture; 0 if the file states no duration. A picture that starts late has more. */
function framesOf({ durationMs, video }: Picture): number {
  const stated = [durationMs, video.durationMs].filter((ms) => ms !== null)
  return stated.length === 0 ? 0 : (Math.min(...stated) * framesPerSecond(video.frameRate)) / 1000
}

/** Returns chunk `index` of a plan. Throws if the plan has no such chunk. */
export function planChunk(plan: ChunkPlan, frameRate: string, index: number): Chunk {
  const { count } = plan
  if (index < 0 || index >= count) throw new Error(`the plan has ${count} chunks, not ${index + 1}`)
  const startFrame = startOf(plan, index)
  return {
    index,
    startFrame,
    endFrame: index === count - 1 ? null : startOf(plan, index + 1),
    firstSegment: 1 + startFrame / segmentFrames(frameRate),
  }
}

function startOf(plan: ChunkPlan, index: number): number {
  const { head, tail } = plan
  if (head && index <= head.length)
    return head.slice(0, index).reduce((sum, frames) => sum + frames, 0)
  const { chunkFrames, count } = withoutHead(plan)
  const place = head ? index - head.length + 1 : index
  const long = Math.min(place, count - (tail?.count ?? 0))
  return long * chunkFrames + (place - long) * (tail?.frames ?? 0)
}
