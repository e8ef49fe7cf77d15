import type { SourceFacts } from '../ingest/source-facts.ts'
import { framesPerSecond } from '../videos/rendition.ts'
import type { EncodedChunk } from './chunks.ts'

/** The least share of the frames of a source that must be decodable, in percent. */
const DECODABLE_PERCENT_MIN = 80

type Picture = Pick<SourceFacts, 'container' | 'durationMs' | 'video'>

/**
 * Returns how many percent of the picture are damaged or missing, rounded up; 0 for a whole source. `chunks` are those
 * of one rung, in any order. Judges by frames that were decoded. What a container states of its length counts only
 * if the file was seen to end early, or if its demuxer skips damage without keeping the times behind it: edit lists,
 * late starts and jumps in time make it wrong.
 */
export function damagedPercent(picture: Picture, chunks: readonly EncodedChunk[]): number {
  const frames = chunks.reduce((sum, chunk) => sum + chunk.frames, 0)
  const damaged = chunks.reduce((sum, chunk) => sum + framesLost(picture, chunk), 0)
  const missing = isShorter(picture, chunks) ? Math.max(0, statedFrames(picture) - frames) : 0
  const expected = frames + missing
  return percentOf(damaged + missing, expected)
}

/** True if so little of the picture can be decoded that the video fails. */
export const isTooDamaged = (percent: number): boolean => percent > 100 - DECODABLE_PERCENT_MIN

const percentOf = (lost: number, expected: number): number =>
  expected === 0 ? 0 : Math.min(100, Math.ceil((lost * 100) / expected))

/** What the encoder of an audio track reports of its source. */
export interface DecodedAudio {
  packetsRead: number
  /** Packets that the decoder refused. */
  packetsUndecodable: number
  decodedMs: number
  /** True if the demuxer found that bytes are missing. */
  isInterrupted: boolean
}

/** True if no part of a track can be decoded. */
export const isUndecodable = ({ decodedMs, packetsUndecodable }: DecodedAudio): boolean =>
  decodedMs === 0 && packetsUndecodable > 0

/** Returns what was decoded of a track whose pieces were decoded by themselves. */
export const joinedAudio = (pieces: readonly DecodedAudio[]): DecodedAudio => ({
  packetsRead: pieces.reduce((sum, one) => sum + one.packetsRead, 0),
  packetsUndecodable: pieces.reduce((sum, one) => sum + one.packetsUndecodable, 0),
  decodedMs: pieces.reduce((sum, one) => sum + one.decodedMs, 0),
  isInterrupted: pieces.some((one) => one.isInterrupted),
})

/** Packets of all tracks alternate, and encoders and decoders cut the ends of audio: so much may be missing. */
const AUDIO_TOLERANCE_MS = 250

/** Returns how many percent of an audio track are damaged or missing, rounded up; 0 for a whole one. */
export function audioDamagedPercent(durationMs: number | null, audio: DecodedAudio): number {
  const { packetsRead, packetsUndecodable, decodedMs, isInterrupted } = audio
  const missingMs = isInterrupted && durationMs !== null ? durationMs - decodedMs : 0
  const missing = missingMs > AUDIO_TOLERANCE_MS ? percentOf(missingMs, durationMs ?? 0) : 0
  return Math.max(missing, percentOf(packetsUndecodable, packetsRead))
}

/** A first frame that is shown shortly after 0, and a last one, are rounded to the grid. */
const GRID_TOLERANCE_FRAMES = 1

/** The frames of a chunk that its source has only in part, or not at all, so that the frame before is held. */
function framesLost({ container, video }: Picture, chunk: EncodedChunk): number {
  const {
    frames,
    framesDecoded,
    framesUndecodable = 0,
    framesPartial = 0,
    hasSkipped = false,
  } = chunk
  const held = Math.max(0, frames - framesDecoded - GRID_TOLERANCE_FRAMES)
  // A decoder refuses two packets for one frame of two fields.
  const refused = video.interlaced ? Math.min(held, framesUndecodable) : framesUndecodable
  // The demuxers of transport and program streams find their place again without a word.
  const isSilent = container.startsWith('mpeg') && framesPartial + framesUndecodable > 0
  // A variable rate holds frames by itself.
  const skipped = (hasSkipped || isSilent) && video.isConstantRate === true ? held : 0
  return Math.min(frames, framesPartial + Math.max(refused, skipped))
}

function isShorter({ container }: Picture, chunks: readonly EncodedChunk[]): boolean {
  const hasDamage = chunks.some(
    (one) => (one.framesPartial ?? 0) + (one.framesUndecodable ?? 0) > 0,
  )
  // AVI stores no times, so the frames after a damaged part move up into its place.
  return chunks.some(({ isCut }) => isCut === true) || (container === 'avi' && hasDamage)
}

/** ffmpeg estimates the length of an AVI file that was cut. In MP4, edit lists leave out listed frames. */
function statedFrames({ container, durationMs, video }: Picture): number {
  if (container === 'avi' && video.statedFrames) return video.statedFrames
  const seconds = (video.durationMs ?? durationMs ?? 0) / 1000
  return Math.round(seconds * framesPerSecond(video.frameRate))
}
