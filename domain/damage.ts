import { framesPerSecond } from './rendition.ts'
import type { SourceFacts } from './source-facts.ts'

/** What encoders report of the picture of a source, summed over its chunks. */
export interface DecodingAccount {
  /** Frames of the encode, on its constant grid. */
  frames: number
  packetsRead: number
  framesDecoded: number
  /** Frames that the decoder could not decode, or only in part. */
  framesDamaged: number
  /** True if the demuxer met bytes that belong to no packet. */
  isDamaged: boolean
  /** True if the file ends before its end. */
  isCut: boolean
}

/** The least share of the frames of a source that must be decodable, in percent. */
export const DECODABLE_PERCENT_MIN = 80

/**
 * Returns how many percent of the picture are damaged or missing, rounded up; 0 for a whole source. Judges by frames
 * that were read and decoded. What a container states counts only if it is an index of frames, or if the file was seen
 * to end early: edit lists, late starts and jumps in time make other durations wrong.
 */
export function damagedPercent(facts: SourceFacts, account: DecodingAccount): number {
  const { frames, packetsRead, framesDecoded, framesDamaged, isDamaged, isCut } = account
  const stated = facts.video.statedFrames ?? null
  const unread = stated === null ? 0 : Math.max(0, stated - packetsRead)
  // The decoder shows a frame for longer where the demuxer skipped damaged bytes.
  const held = isDamaged && !isCut && isConstant(facts) ? Math.max(0, frames - framesDecoded) : 0
  const missing = isCut && stated === null ? Math.max(0, durationFrames(facts) - frames) : 0
  const lost = Math.max(framesDamaged + unread, held) + missing
  const expected = Math.max(stated ?? 0, frames + missing, framesDecoded + framesDamaged)
  return expected === 0 ? 100 : Math.min(100, Math.ceil((lost * 100) / expected))
}

/** True if so little of the picture can be decoded that the video fails. */
export const isTooDamaged = (percent: number): boolean => percent > 100 - DECODABLE_PERCENT_MIN

/** A variable rate leaves frames of the grid without a frame of the source. */
const isConstant = ({ video }: SourceFacts): boolean => video.isConstantRate ?? false

const durationFrames = ({ durationMs, video }: SourceFacts): number =>
  Math.round(((video.durationMs ?? durationMs ?? 0) * framesPerSecond(video.frameRate)) / 1000)
