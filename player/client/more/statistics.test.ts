import { describe, expect, it } from 'vitest'
import { bufferedAhead } from './statistics.ts'

const ranges = (...list: [number, number][]): TimeRanges => ({
  length: list.length,
  start: (index) => list[index]?.[0] ?? Number.NaN,
  end: (index) => list[index]?.[1] ?? Number.NaN,
})

describe('the buffer ahead', () => {
  it.each([
    ['of the range that is playing', [[0, 10]], 4, 6],
    [
      'without what lies behind a gap',
      [
        [0, 10],
        [12, 30],
      ],
      4,
      6,
    ],
    [
      'of a later range',
      [
        [0, 10],
        [12, 30],
      ],
      12,
      18,
    ],
    [
      'is nothing in a gap',
      [
        [0, 10],
        [12, 30],
      ],
      11,
      0,
    ],
    ['is nothing before anything has loaded', [], 0, 0],
  ] satisfies [string, [number, number][], number, number][])(
    '%s',
    (_title, list, currentTime, seconds) => {
      expect(bufferedAhead({ buffered: ranges(...list), currentTime })).toBe(seconds)
    },
  )
})
