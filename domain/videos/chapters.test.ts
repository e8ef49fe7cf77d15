import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chaptersWithin, isChapterRange, isMomentTime, momentsWithin } from './chapters.ts'

const seconds = fc.nat(40)
const durations = fc.integer({ min: 1, max: 30_000 })
const ranges = fc
  .tuple(seconds, fc.integer({ min: 1, max: 20 }))
  .map(([start, length]) => ({ start, end: start + length }))

describe('chapters and moments', () => {
  it.each([
    [9300, 10, true, false],
    [9300, 9, true, true],
    [9300, 11, false, false],
    [10_000, 10, true, true],
    [10_000, 11, false, false],
    [400, 1, true, false],
  ])(
    'in a video of %d ms: at second %d a chapter can end: %s; a moment is valid: %s',
    (durationMs, second, canEnd, isValid) => {
      expect(isChapterRange({ start: 0, end: second }, durationMs)).toBe(canEnd)
      expect(isMomentTime(second, durationMs)).toBe(isValid)
    },
  )

  it('are cut to the duration when it becomes known', () => {
    fc.assert(
      fc.property(fc.array(ranges), durations, (given, durationMs) => {
        const left = chaptersWithin(given, durationMs)
        for (const range of left) expect(isChapterRange(range, durationMs)).toBe(true)
        // Valid chapters do not change.
        const fine = given.filter((range) => isChapterRange(range, durationMs))
        expect(left).toEqual(expect.arrayContaining(fine))
        const cut = given.filter(({ start }) => start * 1000 < durationMs)
        expect(left.map(({ start }) => start)).toEqual(cut.map(({ start }) => start))
      }),
    )
    fc.assert(
      fc.property(fc.array(seconds), durations, (times, durationMs) => {
        const given = times.map((timestamp) => ({ timestamp }))
        const fine = given.filter(({ timestamp }) => timestamp * 1000 <= durationMs)
        expect(momentsWithin(given, durationMs)).toEqual(fine)
      }),
    )
  })
})
