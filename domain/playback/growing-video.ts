import type { ChunkPlan } from '../encoding/chunks.ts'
import type { ChunkFacts } from '../encoding/join-chunks.ts'
import type { Rendition, Segment } from '../videos/rendition.ts'

/** How a video is encoded, as far as its players and encoders need to know while it grows (ADR 0043). */
export interface VideoOutline {
  /** As the source states it; the true duration is known when all is encoded. */
  durationMs: number
  frameRate: string
  /** The rung that is encoded first, which plays meanwhile. */
  rung: string
  /** The audio renditions. */
  audio: string[]
  /** True if each piece of them is encoded with its chunk of the rung (ADR 0048); absent if they are encoded as one. */
  hasSoundPieces?: boolean
  /** Of the rung. */
  chunks: ChunkPlan
}

/** Neighbouring segments of a rendition. */
export interface SegmentRun {
  /** The number of its first segment, from 1. */
  firstSegment: number
  startTicks: number
  segments: Segment[]
}

/** A rendition of which some segments are published. */
export interface GrowingTrack {
  /** What its recorded chunks have in common, and their attempts as `parts`; its segments are those of `runs`. */
  rendition: Rendition
  /** In the order of the video, each as long as possible. */
  runs: SegmentRun[]
  /** The attempt that made its first chunk. Names the track's segments for good (`paths.growing`). */
  token: string
  /** True if the rendition is published. */
  isComplete: boolean
}

/** A video of which at least the beginning plays. */
export interface GrowingTracks {
  outline: VideoOutline
  picture: GrowingTrack
  audio: GrowingTrack[]
}

/** Milliseconds of a video, from `startMs` up to `endMs`. */
export interface TimeRange {
  startMs: number
  endMs: number
}

/** Returns the track that recorded chunks make, in their order; null while the first one is missing. */
export function trackOf(chunks: readonly ChunkFacts[]): GrowingTrack | null {
  const [first] = chunks
  if (first?.firstSegment !== 1) return null
  const runs: SegmentRun[] = []
  for (const { firstSegment, startTicks, rendition } of chunks) {
    const last = runs.at(-1)
    if (last && last.firstSegment + last.segments.length === firstSegment)
      last.segments.push(...rendition.segments)
    else runs.push({ firstSegment, startTicks, segments: [...rendition.segments] })
  }
  const bandwidthBps = Math.max(...chunks.map(({ rendition }) => rendition.bandwidthBps))
  const parts = chunks.map(({ firstSegment, token }) => ({ firstSegment, token }))
  const rendition = { ...first.rendition, bandwidthBps, parts }
  return { rendition, runs, token: first.token, isComplete: false }
}

/** Returns the track that a published rendition makes; null if it was published before chunks. */
export function completeTrack(rendition: Rendition): GrowingTrack | null {
  const token = rendition.parts?.[0]?.token
  if (token === undefined) return null
  const runs = [{ firstSegment: 1, startTicks: 0, segments: rendition.segments }]
  return { rendition, runs, token, isComplete: true }
}

const msOf = (ticks: number, { timescale }: Rendition): number => (ticks * 1000) / timescale

/**
 * Returns the segments of a track from the one at `placeMs` to the next gap; null if that one is not published. Of audio, the
 * first one may begin a packet later, whatever else is published, so that a list keeps its start. Behind
 * the end of a complete track it is the last one: audio may be shorter than its picture.
 */
export function segmentsFrom(
  { rendition, runs, isComplete }: GrowingTrack,
  placeMs: number,
): SegmentRun | null {
  const fromMs = rendition.kind === 'audio' ? placeMs + PACKET_MS : placeMs
  for (const { firstSegment, startTicks, segments } of runs) {
    let ticks = startTicks
    for (const [index, { durationTicks }] of segments.entries()) {
      const isHere = msOf(ticks, rendition) <= fromMs + ROUNDING_MS
      if (isHere && fromMs + ROUNDING_MS < msOf(ticks + durationTicks, rendition))
        return {
          firstSegment: firstSegment + index,
          startTicks: ticks,
          segments: segments.slice(index),
        }
      ticks += durationTicks
    }
  }
  return isComplete ? lastSegmentOf(runs) : null
}

function lastSegmentOf(runs: readonly SegmentRun[]): SegmentRun | null {
  const run = runs.at(-1)
  const last = run?.segments.at(-1)
  if (!run || !last) return null
  return {
    firstSegment: run.firstSegment + run.segments.length - 1,
    startTicks: run.startTicks + ticksOf(run.segments) - last.durationTicks,
    segments: [last],
  }
}

/** Returns the size of a segment that is published; null for any other. */
export function segmentSize({ runs }: GrowingTrack, number: number): number | null {
  const run = runs.findLast(({ firstSegment }) => firstSegment <= number)
  return run?.segments[number - run.firstSegment]?.sizeBytes ?? null
}

/** Times travel as milliseconds; the start of a segment must name that segment. */
const ROUNDING_MS = 1
/** A piece of audio begins with a whole packet, so it begins up to this much later than its picture. */
const PACKET_MS = 22

/** Returns the parts of the video whose picture and audio are published. */
export const readyRanges = ({
  picture,
  audio,
}: Pick<GrowingTracks, 'picture' | 'audio'>): TimeRange[] =>
  audio.map(heardRanges).reduce(inBoth, rangesOf(picture))

const inBoth = (ranges: TimeRange[], others: TimeRange[]): TimeRange[] =>
  ranges.flatMap((range) =>
    others.flatMap((other) => {
      const startMs = Math.max(range.startMs, other.startMs)
      const endMs = Math.min(range.endMs, other.endMs)
      return endMs - startMs > PACKET_MS ? [{ startMs, endMs }] : []
    }),
  )

const rangesOf = ({ rendition, runs }: GrowingTrack): TimeRange[] =>
  runs.map(({ startTicks, segments }) => ({
    startMs: Math.floor(msOf(startTicks, rendition)),
    endMs: Math.floor(msOf(startTicks + ticksOf(segments), rendition)),
  }))

const ticksOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { durationTicks }) => sum + durationTicks, 0)

/** A complete track that is shorter than the picture does not end the video. */
const heardRanges = (track: GrowingTrack): TimeRange[] =>
  track.isComplete
    ? [{ startMs: 0, endMs: Infinity }]
    : rangesOf(track).map(({ startMs, endMs }) => ({ startMs: startMs - PACKET_MS, endMs }))

/** How long a recorded chunk of a rendition is. */
export interface RecordedLength {
  name: string
  /** From 0. */
  index: number
  durationMs: number
}

/**
 * Returns how much of the beginning of a video plays while it is encoded. `recorded` are the chunks of its first rung and
 * of its audio, `published` the names of complete renditions.
 */
export function watchableMs(
  { rung, audio, durationMs }: VideoOutline,
  recorded: readonly RecordedLength[],
  published: readonly string[],
): number {
  const ends = [rung, ...audio].map((name) =>
    published.includes(name) ? durationMs : lengthOfBeginning(recorded, name),
  )
  return Math.min(...ends)
}

function lengthOfBeginning(recorded: readonly RecordedLength[], name: string): number {
  const own = new Map(
    recorded.flatMap((one) => (one.name === name ? [[one.index, one.durationMs]] : [])),
  )
  let endMs = 0
  for (let index = 0; own.has(index); index++) endMs += own.get(index) ?? 0
  return endMs
}
