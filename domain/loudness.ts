/** The loudness of an audio track by EBU R 128, before its gain. */
export interface Loudness {
  /** Integrated over the track; null if it is silent, or too short to measure. */
  integratedLufs: number | null
  /** Null if the track is silent. */
  truePeakDbtp: number | null
}

/** The loudness of a track and what its encode adds to it. */
export interface TrackLoudness extends Loudness {
  /** Decibels; 0 if the account keeps the loudness of its sources. */
  gainDb: number
}

/** What streaming services and EBU R 128 s2 use for devices with small speakers. */
export const TARGET_LUFS = -16
/** Leaves room for what the AAC encoder adds to a peak. */
const TRUE_PEAK_MAX_DBTP = -1.5
/** Without a limit, the hiss of an almost silent track would become loud. */
const GAIN_MAX_DB = 30

/**
 * Returns the gain that brings a track to the target, in decibels. It is the same for the whole track, so that loud and
 * quiet parts keep their distance. If a peak would be too high, it is smaller: such a track stays below the target.
 */
export function gainOf({ integratedLufs, truePeakDbtp }: Loudness): number {
  if (integratedLufs === null || truePeakDbtp === null) return 0
  return Math.min(TARGET_LUFS - integratedLufs, TRUE_PEAK_MAX_DBTP - truePeakDbtp, GAIN_MAX_DB)
}
