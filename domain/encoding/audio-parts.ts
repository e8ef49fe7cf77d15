import { AUDIO_SEGMENT_SECONDS, type Chunk } from './chunks.ts'

/** The `count` of recorded parts of audio: how many there are is known only at the end of the encode. */
export const OPEN_COUNT = 1_000_000

/** Short, so that a video can be watched soon. */
const FIRST_PART_SECONDS = 2 * AUDIO_SEGMENT_SECONDS
const PART_SECONDS = 8 * AUDIO_SEGMENT_SECONDS
/** A video of less does not play while it grows, so its audio has one part. */
const SHORT_VIDEO_SECONDS = FIRST_PART_SECONDS + PART_SECONDS

/** A part of an audio track: whole segments, published while the rest of the track is encoded (ADR 0031). */
export interface AudioPart extends Pick<Chunk, 'index' | 'firstSegment'> {
  /** The next part begins with the first packet from here on. Unless the track ends before. */
  endSeconds: number
}

/** Returns part `index` of the audio of a video with this stated duration. */
export function audioPartOf(durationMs: number | null, index: number): AudioPart {
  const isShort = durationMs !== null && durationMs < SHORT_VIDEO_SECONDS * 1000
  const firstSeconds = isShort ? SHORT_VIDEO_SECONDS : FIRST_PART_SECONDS
  const endSeconds = firstSeconds + index * PART_SECONDS
  const startSeconds = index === 0 ? 0 : endSeconds - PART_SECONDS
  return { index, firstSegment: 1 + startSeconds / AUDIO_SEGMENT_SECONDS, endSeconds }
}
