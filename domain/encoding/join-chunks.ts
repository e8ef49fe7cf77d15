import type { Rendition } from '../videos/rendition.ts'
import { averageBitRate, peakBitRate } from './bit-rates.ts'
import type { EncodedChunk } from './chunks.ts'
import type { DecodedAudio } from './damage.ts'
import type { PieceLoudness } from './loudness.ts'

/** A recorded chunk of a rendition: what one attempt has stored. */
export interface ChunkFacts {
  /** Names the attempt: eight hex characters. */
  token: string
  /** The number of its first segment in the video, from 1. */
  firstSegment: number
  /** The decoding time of its first segment, in ticks. */
  startTicks: number
  /** Equal for chunks that play behind the same initialisation segment. */
  initHash: string
  /** What the encoder reported; null for audio. */
  encoded: EncodedChunk | null
  /** Of a piece of audio that was encoded with a chunk of the picture. */
  sound?: DecodedAudio & { loudness: PieceLoudness }
  /** The chunk alone. Only the first one counts the initialisation segment in its size. */
  rendition: Rendition
}

/** Why chunks do not make one video. */
export interface ChunkFault {
  /** What differs: `initialisation_segment`, `start`, `segment_number`, a field of the rendition, or `first_chunk` if that is missing. */
  reason: string
  /** Its number in the list, from 0. */
  chunk: number
  expected: unknown
  found: unknown
}

/** The chunks of a rendition do not make one video. */
export class ChunksDoNotFitError extends Error {
  override name = 'ChunksDoNotFitError'
  readonly fault: ChunkFault

  constructor(fault: ChunkFault) {
    super(`a chunk does not continue the one before it: ${fault.reason}`)
    this.fault = fault
  }
}

/** Segments last about four seconds. */
const SEGMENT_SECONDS = 4

/**
 * Makes one rendition of its chunks, in their order: their segments behind the initialisation segment of the first,
 * with the rates of the whole list, because a peak may lie across a seam. Throws ChunksDoNotFitError unless each
 * chunk continues the one before it and plays behind the same initialisation segment.
 */
export function joinChunks(chunks: readonly ChunkFacts[]): Rendition {
  const [first] = chunks
  if (first?.firstSegment !== 1) {
    const found = first?.firstSegment ?? null
    throw new ChunksDoNotFitError({ reason: 'first_chunk', chunk: 0, expected: 1, found })
  }
  for (const [index, chunk] of chunks.entries()) {
    const before = chunks[index - 1]
    const fault = before && faultOf(before, chunk)
    if (fault) throw new ChunksDoNotFitError({ ...fault, chunk: index })
  }
  const { timescale } = first.rendition
  const segments = chunks.flatMap(({ rendition }) => rendition.segments)
  const ticks = segments.reduce((sum, { durationTicks }) => sum + durationTicks, 0)
  return {
    ...first.rendition,
    segments,
    parts: chunks.map(({ firstSegment, token }) => ({ firstSegment, token })),
    bandwidthBps: peakBitRate(segments, timescale, SEGMENT_SECONDS),
    averageBandwidthBps: averageBitRate(segments, timescale),
    durationMs: Math.round((ticks * 1000) / timescale),
    sizeBytes: chunks.reduce((sum, { rendition }) => sum + rendition.sizeBytes, 0),
  }
}

/** What the chunks of a rendition have in common. */
const SHARED = ['codecs', 'width', 'height', 'frameRate', 'timescale', 'trackType'] as const

function faultOf(before: ChunkFacts, chunk: ChunkFacts): Omit<ChunkFault, 'chunk'> | undefined {
  const { segments } = before.rendition
  const ticks = segments.reduce((sum, { durationTicks }) => sum + durationTicks, 0)
  const compared: [reason: string, expected: unknown, found: unknown][] = [
    ['initialisation_segment', before.initHash, chunk.initHash],
    ['start', before.startTicks + ticks, chunk.startTicks],
    ['segment_number', before.firstSegment + segments.length, chunk.firstSegment],
    ...SHARED.map((field): [string, unknown, unknown] => [
      field,
      before.rendition[field],
      chunk.rendition[field],
    ]),
  ]
  const [reason, expected, found] = compared.find(([, one, other]) => one !== other) ?? []
  return reason === undefined ? undefined : { reason, expected, found }
}
