import type { Segment } from '../videos/rendition.ts'

/** Bits per second, rounded up. */
const bitRate = (bytes: number, ticks: number, timescale: number): number =>
  Math.ceil((bytes * 8 * timescale) / Math.max(1, ticks))

/**
 * Returns the largest rate of any run of neighbouring segments that lasts between half and one and a half
 * times the target duration (RFC 8216, 4.1), in bits per second. A final segment of one keyframe therefore
 * does not count alone; for a video shorter than half a segment, returns the average.
 */
export function peakBitRate(
  segments: readonly Segment[],
  timescale: number,
  targetSeconds: number,
): number {
  const target = targetSeconds * timescale
  let peak = 0
  for (const start of segments.keys()) {
    let [bytes, ticks] = [0, 0]
    for (const { sizeBytes, durationTicks } of segments.slice(start)) {
      bytes += sizeBytes
      ticks += durationTicks
      const isOne = ticks === durationTicks
      if (ticks > 1.5 * target && !isOne) break
      if (ticks >= 0.5 * target) peak = Math.max(peak, bitRate(bytes, ticks, timescale))
    }
  }
  return peak > 0 ? peak : averageBitRate(segments, timescale)
}

/** Returns the rate over all segments, in bits per second. */
export function averageBitRate(segments: readonly Segment[], timescale: number): number {
  const sum = (of: (one: Segment) => number): number =>
    segments.reduce((total, one) => total + of(one), 0)
  return bitRate(
    sum(({ sizeBytes }) => sizeBytes),
    sum(({ durationTicks }) => durationTicks),
    timescale,
  )
}
