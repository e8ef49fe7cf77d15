import { chunkOf } from './chunks.ts'
import type { ChunkPlan } from './chunks.ts'
import type { FilmOutline, TimeRange } from './growing-film.ts'
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

/** An encoder that is silent for longer has probably ended with its worker. */
const SILENT_MAX_MS = 15_000
/** Below it, the speed of an encoder says nothing. */
const BASIS_FRACTION = 0.02
/** Encrypting, verifying and storing follow the encoder. */
const PUBLISH_MS = 1_000

export interface Wanted {
  outline: FilmOutline
  ready: readonly TimeRange[]
  parts: readonly EncodedPart[]
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
 * Estimates how long the place at a position still takes until it plays, from the speed of the film's encoders: 0 if it
 * plays, null without a basis.
 */
export function msUntilReady({ outline, ready, parts, positionMs }: Wanted): number | null {
  if (isReady(ready, positionMs)) return 0
  const alive = parts.filter(({ silentMs, fraction }) => fraction === 1 || silentMs < SILENT_MAX_MS)
  const picture = pictureMs(outline, alive, positionMs)
  const sounds = outline.audio.map((name) => soundMs(outline, alive, name, positionMs))
  const waits = [picture, ...sounds].filter((ms) => ms !== null)
  return picture === null ? null : Math.max(PUBLISH_MS, ...waits)
}

/** A running chunk takes what is left of it; another one begins when the first of them has ended. */
function pictureMs(
  outline: FilmOutline,
  parts: readonly EncodedPart[],
  positionMs: number,
): number | null {
  const { rung, chunks, frameRate } = outline
  const own = parts.filter(({ name }) => name === rung)
  const wanted = chunkAt(chunks, frameRate, positionMs)
  const running = own.find(({ index }) => index === wanted)
  if (running) return leftMs(running)
  const costs = own.flatMap((part) => {
    const total = totalMs(part)
    return total === null ? [] : [total / chunkMs(outline, part.index)]
  })
  if (costs.length === 0) return null
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length
  const others = own.filter(({ fraction }) => fraction !== 1).flatMap((part) => leftMs(part) ?? [])
  const freeMs = others.length === 0 ? 0 : Math.min(...others)
  return freeMs + mean * chunkMs(outline, wanted) + PUBLISH_MS
}

/** How much of the film a chunk is: the first ones and the last ones are shorter. */
function chunkMs({ chunks, frameRate, durationMs }: FilmOutline, index: number): number {
  const { startFrame, endFrame } = chunkOf(chunks, frameRate, Math.min(index, chunks.count - 1))
  const msOf = (frame: number): number => (frame * 1000) / framesPerSecond(frameRate)
  return Math.max(1_000, (endFrame === null ? durationMs : msOf(endFrame)) - msOf(startFrame))
}

/** Sound is encoded from its beginning, and its part of the film is near the share that is done. */
function soundMs(
  { durationMs }: FilmOutline,
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

function leftMs(part: EncodedPart): number | null {
  const total = totalMs(part)
  return total === null ? null : Math.max(0, total - part.elapsedMs - part.silentMs) + PUBLISH_MS
}

/** Returns the index of the chunk that contains a position; the last one behind the end of the plan. */
export function chunkAt(plan: ChunkPlan, frameRate: string, positionMs: number): number {
  const frame = Math.floor((positionMs * framesPerSecond(frameRate)) / 1000 + 1e-6)
  const indexes = Array.from({ length: plan.count }, (_, index) => index)
  return Math.max(
    0,
    indexes.findLastIndex((index) => chunkOf(plan, frameRate, index).startFrame <= frame),
  )
}
