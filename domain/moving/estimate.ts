import { planLadder } from '../encoding/ladder.ts'
import { SETTINGS } from '../settings/declarations.ts'

/** What is known of a video before it is sent. */
export interface MeasuredVideo {
  seconds: number
  /** Pixels, as displayed. */
  width: number
  height: number
}

/** What videos will need. */
export interface MovingCost {
  seconds: number
  /** The most that their ladders take, by the peak rates of the rungs; without originals. */
  ladderBytes: number
  /** Processor time of the encoders, in seconds of one core. */
  coreSeconds: number
}

/** What a second of video in the ladder of 720p takes on one core, measured (docs/scaling.md). More pixels take more time. */
export const CORE_SECONDS_OF_720P = 1.1
const PIXELS_OF_720P = 1_280 * 720
const AUDIO_BPS = 128_000

/** Assumed of a video that cannot be measured: its seconds are then guessed by its bytes. */
const ASSUMED = { bytesPerSecond: 625_000, width: 1_920, height: 1_080 } as const

/** Estimates what the ladder of a video takes, if the account allows every resolution. */
export function costOf({ seconds, width, height }: MeasuredVideo): MovingCost {
  const availableResolutions = SETTINGS.available_resolutions.default
  const rungs = planLadder({ width, height, availableResolutions })
  const peakBps = rungs.reduce((sum, { maxrateBps }) => sum + maxrateBps, AUDIO_BPS)
  return {
    seconds,
    ladderBytes: Math.ceil((seconds * peakBps) / 8),
    coreSeconds: (seconds * CORE_SECONDS_OF_720P * width * height) / PIXELS_OF_720P,
  }
}

/** Guesses what a video is of which only the size is known, as one of 1080p at 5 Mbit/s. */
export const guessedVideo = (sizeBytes: number): MeasuredVideo => ({
  seconds: sizeBytes / ASSUMED.bytesPerSecond,
  width: ASSUMED.width,
  height: ASSUMED.height,
})
