import { planChunk, type ChunkPlan } from '../encoding/chunks.ts'
import { HEARTBEAT_TIMEOUT_MS } from '../ingest/ingest.ts'
import type { TimeRange, VideoOutline } from '../playback/growing-video.ts'
import { framesPerSecond } from './rendition.ts'

/** What the encoder of a part of a rendition has reported. */
export interface EncodedPart {
  /** Of the rendition. */
  name: string
  /** Of the chunk, from 0; 0 for a track that is encoded as one. */
  index: number
  /** From 0 to 1; null if the total is not known. */
  fraction: number | null
  /** From its start to its last report. */
  elapsedMs: number
  /** Since its last report. */
  silentMs: number
}

/** Encoders report every five seconds; one that is silent for longer has probably ended with its worker. */
const SILENT_MAX_MS = 8_000
/** From the moment that the end of a worker is noticed until another one begins. */
const RETRY_MS = 2_000
/** Below it, the speed of an encoder says nothing. */
const BASIS_FRACTION = 0.02
/** Encrypting, verifying and storing follow the encoder. */
const PUBLISH_MS = 1_000

export interface Wanted {
  outline: VideoOutline
  ready: readonly TimeRange[]
  parts: readonly EncodedPart[]
  /** The chunks that viewers watch now. */
  playheads: readonly number[]
  positionMs: number
}

/** Tolerates the rounding of players. */
const TOLERANCE_MS = 100

/** Returns whether a position lies in a part that plays. */
export const isReady = (ready: readonly TimeRange[], positionMs: number): boolean =>
  ready.some(
    ({ startMs, endMs }) =>
      startMs - TOLERANCE_MS <= positionMs && positionMs < endMs - TOLERANCE_MS,
  )

/**
 * Estimates how long the place at a position still takes until it plays, from the speed of the video's encoders: 0 if it
 * plays, null without a basis.
 */
export function msUntilReady(wanted: Wanted): number | null {
  const { outline, ready, parts, positionMs } = wanted
  if (isReady(ready, positionMs)) return 0
  const alive = parts.filter(({ silentMs, fraction }) => fraction === 1 || silentMs < SILENT_MAX_MS)
  const picture = pictureMs(wanted, alive)
  const apart = outline.hasSoundPieces ? [] : outline.audio
  const sounds = apart.map((name) => audioMs(outline, alive, name, positionMs))
  const waits = [picture, ...sounds].filter((ms) => ms !== null)
  return picture === null ? null : Math.max(PUBLISH_MS, ...waits)
}

/** Returns whether an encoder is at work on the chunk of the first rung at a position that does not play yet. */
export function isBeingEncoded(
  { outline, ready, parts }: Pick<Wanted, 'outline' | 'ready' | 'parts'>,
  positionMs: number,
): boolean {
  if (isReady(ready, positionMs)) return false
  const { rung, chunks, frameRate } = outline
  const index = chunkAt(chunks, frameRate, positionMs)
  return parts.some(
    (part) => part.name === rung && part.index === index && part.silentMs < SILENT_MAX_MS,
  )
}

/**
 * A running chunk takes what is left of it. Another one begins when the first of them has ended, behind those that viewers
 * before it wait for; one whose worker has ended begins again when that is noticed.
 */
function pictureMs(wanted: Wanted, alive: readonly EncodedPart[]): number | null {
  const { outline, positionMs } = wanted
  const { rung, chunks, frameRate } = outline
  const own = alive.filter(({ name }) => name === rung)
  const index = chunkAt(chunks, frameRate, positionMs)
  const timeOf = chunkTimes(outline, own)
  const running = own.find((part) => part.index === index)
  if (running) return leftMs(running, timeOf)
  const costs = own.flatMap((part) => {
    const total = timeOf(part)
    return total === null ? [] : [total / chunkMs(outline, part.index)]
  })
  if (costs.length === 0) return null
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length
  const ownMs = mean * chunkMs(outline, index) + PUBLISH_MS
  const lost = wanted.parts.find((part) => part.name === rung && part.index === index)
  if (lost) return Math.max(0, HEARTBEAT_TIMEOUT_MS - lost.silentMs) + RETRY_MS + ownMs
  const others = own
    .filter(({ fraction }) => fraction !== 1)
    .flatMap((part) => leftMs(part, timeOf) ?? [])
  const freeMs = others.length === 0 ? 0 : Math.min(...others)
  const before = chunksBefore(wanted, index).map((chunk) => mean * chunkMs(outline, chunk))
  const beforeMs = before.reduce((sum, ms) => sum + ms, 0) / Math.max(1, others.length)
  return freeMs + beforeMs + ownMs
}

/** The chunks that viewers wait for and that are encoded before `index`: of equal distance, the first of the video. */
function chunksBefore({ outline, ready, parts, playheads }: Wanted, index: number): number[] {
  const { rung, chunks, frameRate } = outline
  // Once for all playheads: a viewer can claim to be at each chunk, and each reader waits for this.
  const starts = startsMs(chunks, frameRate)
  const begun = new Set(parts.flatMap((part) => (part.name === rung ? [part.index] : [])))
  return playheads.filter(
    (chunk) => chunk < index && !begun.has(chunk) && !isReady(ready, starts[chunk] ?? 0),
  )
}

/** How much of the video a chunk is: the first ones and the last ones are shorter. */
function chunkMs({ chunks, frameRate, durationMs }: VideoOutline, index: number): number {
  const { startFrame, endFrame } = planChunk(chunks, frameRate, Math.min(index, chunks.count - 1))
  const msOf = (frame: number): number => (frame * 1000) / framesPerSecond(frameRate)
  return Math.max(1_000, (endFrame === null ? durationMs : msOf(endFrame)) - msOf(startFrame))
}

/** Audio that is encoded as one is encoded from its beginning, and its part of the video is near the share that is done. */
function audioMs(
  { durationMs }: VideoOutline,
  parts: readonly EncodedPart[],
  track: string,
  positionMs: number,
): number | null {
  const part = parts.find(({ name }) => name === track)
  const total = part && totalMs(part)
  if (!part || total === null || total === undefined) return null
  return Math.max(0, (total * positionMs) / durationMs - part.elapsedMs)
}

const totalMs = ({ fraction, elapsedMs }: EncodedPart): number | null =>
  fraction === null || fraction < BASIS_FRACTION ? null : elapsedMs / fraction

type TimeOf = (part: EncodedPart) => number | null

function leftMs(part: EncodedPart, timeOf: TimeOf): number | null {
  const total = timeOf(part)
  const fraction = part.fraction ?? 0
  return total === null ? null : Math.max(0, total * (1 - fraction) - part.silentMs) + PUBLISH_MS
}

/** The time of a chunk that was begun again counts from its first attempt: it is limited by what others took. */
const LONGEST = 2

/** Returns a function that estimates how long an encoder takes for its whole chunk. */
function chunkTimes(outline: VideoOutline, own: readonly EncodedPart[]): TimeOf {
  const costs = own
    .filter(({ fraction }) => fraction === 1)
    .map((part) => part.elapsedMs / chunkMs(outline, part.index))
    .toSorted((a, b) => a - b)
  const usual = costs[Math.floor(costs.length / 2)]
  return (part) => {
    const total = totalMs(part)
    if (total === null || usual === undefined || part.fraction === 1) return total
    return Math.min(total, LONGEST * usual * chunkMs(outline, part.index))
  }
}

/** Returns where the chunks of a plan start. */
export const startsMs = (plan: ChunkPlan, frameRate: string): number[] =>
  Array.from({ length: plan.count }, (_, index) =>
    Math.floor((planChunk(plan, frameRate, index).startFrame * 1000) / framesPerSecond(frameRate)),
  )

/** Returns the index of the chunk that contains a position; the last one behind the end of the plan. */
export function chunkAt(plan: ChunkPlan, frameRate: string, positionMs: number): number {
  const frame = Math.floor((positionMs * framesPerSecond(frameRate)) / 1000 + 1e-6)
  const indexes = Array.from({ length: plan.count }, (_, index) => index)
  return Math.max(
    0,
    indexes.findLastIndex((index) => planChunk(plan, frameRate, index).startFrame <= frame),
  )
}
