import { describe, expect, it } from 'vitest'
import { audioPartOf, OPEN_COUNT } from './audio-parts.ts'

const parts = (durationMs: number | null) =>
  Array.from({ length: 4 }, (_, index) => audioPartOf(durationMs, index))

describe('the parts of audio', () => {
  it('are of 32 seconds behind a first one of 8 seconds, and their segments continue', () => {
    for (const durationMs of [40_000, 7_200_000, null])
      expect(parts(durationMs)).toEqual([
        { index: 0, firstSegment: 1, endSeconds: 8 },
        { index: 1, firstSegment: 3, endSeconds: 40 },
        { index: 2, firstSegment: 11, endSeconds: 72 },
        { index: 3, firstSegment: 19, endSeconds: 104 },
      ])
  })

  it('of a video of less than 40 seconds are one, unless it is longer than its file states', () => {
    expect(parts(39_999).slice(0, 2)).toEqual([
      { index: 0, firstSegment: 1, endSeconds: 40 },
      { index: 1, firstSegment: 11, endSeconds: 72 },
    ])
  })

  it('of a month of audio have places in a plan of open length', () => {
    expect(audioPartOf(null, OPEN_COUNT - 1).endSeconds).toBeGreaterThan(31 * 86_400)
  })
})
