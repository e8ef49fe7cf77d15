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

/** How loud a piece of a track is. */
export interface PieceLoudness {
  /** How many of its blocks of 400 ms, ten in a second, have each loudness, by tenths of LUFS. */
  blocks: Record<string, number>
  truePeakDbtp: number | null
}

/** Blocks below it do not count, by EBU R 128. */
export const GATE_LUFS = -70
/** Blocks that are so much below the mean of all others do not count either. */
const RELATIVE_GATE_LU = -10

/** Returns how loud a track is whose pieces were measured by themselves. */
export function joinedLoudness(pieces: readonly PieceLoudness[]): Loudness {
  const blocks = pieces.flatMap((piece) =>
    Object.entries(piece.blocks).map(([tenths, count]) => ({ lufs: Number(tenths) / 10, count })),
  )
  const audible = blocks.filter(({ lufs }) => lufs > GATE_LUFS)
  const gate = meanLufs(audible) + RELATIVE_GATE_LU
  const mean = meanLufs(audible.filter(({ lufs }) => lufs > gate))
  const peaks = pieces.flatMap(({ truePeakDbtp }) => truePeakDbtp ?? [])
  return {
    integratedLufs: Number.isFinite(mean) ? Math.round(mean * 10) / 10 : null,
    truePeakDbtp: peaks.length > 0 ? Math.max(...peaks) : null,
  }
}

/** The mean of the power. */
function meanLufs(blocks: readonly { lufs: number; count: number }[]): number {
  const count = blocks.reduce((sum, one) => sum + one.count, 0)
  const power = blocks.reduce((sum, one) => sum + one.count * 10 ** (one.lufs / 10), 0)
  return 10 * Math.log10(power / count)
}
