import { segmentFrames } from './chunks.ts'
import type { Chunk } from './chunks.ts'

/** Of the encodes, in samples per second. */
export const SOUND_RATE = 48_000
/** What one packet of AAC holds of each channel. */
export const PACKET_SAMPLES = 1_024

/** The audio of a chunk of the picture: whole packets, encoded by themselves (ADR 0048). */
export interface SoundPiece {
  /** In the track, from 0. */
  startSample: number
  /** The first sample after the piece; null for the last one, which ends where the track does. */
  endSample: number | null
}

/** Returns how long a segment of audio is: as long as one of the picture, in whole samples. */
function soundSegmentSamples(frameRate: string): number {
  const [numerator = 0, denominator = 1] = frameRate.split('/').map(Number)
  return Math.floor((segmentFrames(frameRate) * denominator * SOUND_RATE) / numerator)
}

/** The packager rounds the length of a segment down to whole samples, so this is a little more than that. */
export const soundSegmentSeconds = (frameRate: string): number =>
  (soundSegmentSamples(frameRate) + 0.5) / SOUND_RATE

/** Returns the audio of a chunk: from its first packet, which begins at its start or less than a packet later. */
export function soundPieceOf(
  { startFrame, endFrame }: Pick<Chunk, 'startFrame' | 'endFrame'>,
  frameRate: string,
): SoundPiece {
  const sampleOf = (frame: number): number => {
    const segments = frame / segmentFrames(frameRate)
    const samples = segments * soundSegmentSamples(frameRate)
    return Math.ceil(samples / PACKET_SAMPLES) * PACKET_SAMPLES
  }
  return {
    startSample: sampleOf(startFrame),
    endSample: endFrame === null ? null : sampleOf(endFrame),
  }
}
