import { describe, expect, it } from 'vitest'
import { peakBitRate } from './bit-rates.ts'

const segment = (seconds: number, sizeBytes: number) => ({
  durationTicks: Math.round(seconds * 1000),
  sizeBytes,
})

describe('the peak rate of a rendition', () => {
  it.each([
    [
      'is the rate of its heaviest segment',
      [segment(4, 500_000), segment(4, 1_000_000)],
      2_000_000,
    ],
    [
      'ignores a last segment of one keyframe',
      [segment(4, 500_000), segment(0.067, 60_000)],
      1_101_550,
    ],
    [
      'includes neighbours that together last up to one and a half target durations',
      [segment(2, 100_000), segment(2, 900_000)],
      3_600_000,
    ],
    ['is the average of a video of one frame', [segment(0.04, 5_000)], 1_000_000],
    [
      'is the average if all segments together last less than half a target duration',
      [segment(0.5, 1_000), segment(0.5, 3_000)],
      32_000,
    ],
    [
      'includes a single segment of more than one and a half target durations',
      [segment(7, 700_000), segment(4, 100_000)],
      800_000,
    ],
  ])('%s', (_title, segments, expected) => {
    expect(peakBitRate(segments, 1000, 4)).toBe(expected)
  })
})
