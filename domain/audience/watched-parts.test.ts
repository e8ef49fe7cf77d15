import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOTHING_WATCHED, partsOf, watch, type Watched } from './watched-parts.ts'

type Interval = readonly [from: number, to: number]

const watchAll = (intervals: readonly Interval[]): Watched =>
  intervals.reduce((watched, [from, to]) => watch(watched, from, to), NOTHING_WATCHED)

/** The numbers of the hundredths whose bits are set. */
const numbersIn = (digits: string | null): number[] =>
  Array.from(digits ?? '')
    .flatMap((digit) => Array.from(parseInt(digit, 16).toString(2).padStart(4, '0')))
    .flatMap((bit, index) => (bit === '1' ? [index] : []))

/** The naive model: how often each of the equal cells of the video was shown, of which a hundredth has `cellsPerPart`. */
function modelOf(intervals: readonly Interval[], cellsPerPart: number) {
  const shown = Array.from({ length: 100 * cellsPerPart }, () => 0)
  for (const [from, to] of intervals)
    for (let cell = from; cell < to; cell++) shown[cell] = (shown[cell] ?? 0) + 1
  const shownTimes = (times: number): number[] =>
    Array.from({ length: 100 }, (_, part) => part).filter((part) => {
      const cells = shown.slice(part * cellsPerPart, (part + 1) * cellsPerPart)
      return cells.filter((count) => count >= times).length * 2 >= cellsPerPart
    })
  return { once: shownTimes(1), again: shownTimes(2) }
}

describe('the watched parts of a video', () => {
  it('are the hundredths of which half was shown, once and again, whatever the order, the overlaps and the pieces', () => {
    const sessions = fc.integer({ min: 1, max: 7 }).chain((cellsPerPart) =>
      fc.record({
        cellsPerPart: fc.constant(cellsPerPart),
        // Seconds of a cell: a fraction without an exact binary form.
        cellSeconds: fc.constantFrom(0.1, 1 / 3, 1, 7.7),
        intervals: fc.array(
          fc
            .tuple(fc.nat(100 * cellsPerPart), fc.nat(100 * cellsPerPart))
            .map(([one, other]): Interval => [Math.min(one, other), Math.max(one, other)]),
          { maxLength: 40 },
        ),
      }),
    )
    fc.assert(
      fc.property(sessions, ({ cellsPerPart, cellSeconds, intervals }) => {
        const watched = watchAll(
          intervals.map(([from, to]): Interval => [from * cellSeconds, to * cellSeconds]),
        )
        const duration = 100 * cellsPerPart * cellSeconds
        const { once, again } = modelOf(intervals, cellsPerPart)
        expect(numbersIn(partsOf(watched.once, duration))).toEqual(once)
        expect(numbersIn(partsOf(watched.again, duration))).toEqual(again)
      }),
    )
  })

  it('are the same if an interval is reported in pieces', () => {
    const pieces = fc.array(fc.double({ min: 0.01, max: 0.5, noNaN: true }), { minLength: 1 })
    fc.assert(
      fc.property(pieces, fc.nat(50), (lengths, from) => {
        let to = from
        const intervals = lengths.map((length): Interval => [to, (to += length)])
        expect(watchAll(intervals)).toEqual(watchAll([[from, to]]))
      }),
    )
  })

  it('are 25 hex digits, the highest bit first, and none without a part or a duration', () => {
    const whole = watchAll([[0, 60]]).once
    expect(partsOf(whole, 60)).toBe('f'.repeat(25))
    expect(partsOf(watchAll([[0, 0.3]]).once, 60)).toBe(`8${'0'.repeat(24)}`)
    expect(partsOf(watchAll([[59.7, 60]]).once, 60)).toBe(`${'0'.repeat(24)}1`)
    expect(partsOf(watchAll([[0, 0.29]]).once, 60)).toBeNull()
    for (const duration of [NaN, 0, -1, Infinity]) expect(partsOf(whole, duration)).toBeNull()
  })

  it('are those of the duration that is known now: what was shown is kept in seconds', () => {
    const { once } = watchAll([[0, 12]])
    expect(numbersIn(partsOf(once, 24))).toHaveLength(50)
    expect(numbersIn(partsOf(once, 12))).toHaveLength(100)
  })

  it('forget the shortest pieces of more than five hundred, and nothing that is longer', () => {
    const flicker = Array.from({ length: 700 }, (_, index): Interval => [index, index + 0.01])
    const { once } = watchAll([[1000, 1010], ...flicker])
    expect(once).toHaveLength(500)
    expect(once.at(-1)).toEqual([1000, 1010])
  })
})
