import { segmentFrames, type Chunk } from './chunks.ts'

/** Of the encodes, in samples per second. */
export const AUDIO_RATE = 48_000
/** What one packet of AAC holds of each channel. */
export const PACKET_SAMPLES = 1_024

/** The audio of a chunk of the picture: whole packets, encoded by themselves (ADR 0048). */
export interface AudioPiece {
  /** In the track, from 0. */
  startSample: number
  /** The first sample after the piece; null for the last one, which ends where the track does. */
  endSample: number | null
}

/** Returns how long a segment of audio is: as long as one of the picture, in whole samples. */
function audioSegmentSamples(frameRate: string): number {
  const [numerator = 0, denominator = 1] = frameRate.split('/').map(Number)
  return Math.floor((segmentFrames(frameRate) * denominator * AUDIO_RATE) / numerator)
}

/** The packager rounds the length of a segment down to whole samples, so this is a little more than that. */
export const audioSegmentSeconds = (frameRate: string): number =>
  (audioSegmentSamples(frameRate) + 0.5) / AUDIO_RATE

/** Returns the audio of a chunk: from its first packet, which begins at its start or less than a packet later. */
export function audioPieceOf(
  { startFrame, endFrame }: Pick<Chunk, 'startFrame' | 'endFrame'>,
  frameRate: string,
): AudioPiece {
  const sampleOf = (frame: number): number => {
    const segments = frame / segmentFrames(frameRate)
    const samples = segments * audioSegmentSamples(frameRate)
    return Math.ceil(samples / PACKET_SAMPLES) * PACKET_SAMPLES
  }
  return {
    startSample: sampleOf(startFrame),
    endSample: endFrame === null ? null : sampleOf(endFrame),
  }
}
