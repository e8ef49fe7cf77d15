import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairsAtLeast, pairsAtMost } from './figure.ts'
import { pairUp, spreadOf } from './pairs.ts'

describe('the spread of measurements', () => {
  it('has the true median in at least nine of ten runs, and most of the narrower ones do not', () => {
    const runs = 4_000
    for (const count of [5, 9, 20]) {
      let covered = 0
      for (let run = 0; run < runs; run += 1) {
        // Of a skewed distribution, as times have; its median is 1.
        const values = Array.from({ length: count }, () => -Math.log(Math.random()) / Math.LN2)
        const [least, most] = spreadOf(values)
        if (least <= 1 && most >= 1) covered += 1
      }
      expect(covered / runs).toBeGreaterThan(0.88)
      expect(covered / runs).toBeLessThan(0.98)
    }
  })

  it('does not depend on the order of the measurements', () => {
    // A sum makes 0 of -0, which sorts as the same and is not equal.
    const value = fc.double({ noNaN: true }).map((number) => number + 0)
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), (values) => {
        const [least, most] = spreadOf(values)
        expect(spreadOf(values.toReversed())).toEqual([least, most])
        expect(values.filter((value) => value < least || value > most).length).toBeLessThan(
          values.length / 2,
        )
      }),
    )
  })
})

describe('a budget', () => {
  const anchors = [10, 10, 10, 10, 10]
  const verdictOf = (values: number[], most: number) =>
    pairsAtMost('x', pairUp(values, anchors), 's', most).verdict

  it('is decided only if the whole spread is on one side of it', () => {
    expect(verdictOf([10, 10.5, 11, 11, 11.9], 1.2)).toBe('ok')
    expect(verdictOf([12.1, 12.5, 13, 14, 15], 1.2)).toBe('missed')
    expect(verdictOf([11, 11, 11, 11, 13], 1.2)).toBe('undecided')
    expect(verdictOf([11, 12.5, 13, 14, 15], 1.2)).toBe('undecided')
    expect(pairsAtLeast('x', pairUp([9, 9, 9, 9, 9.5], anchors), '/s', 0.9).verdict).toBe('ok')
  })

  it('is undecided with fewer than five pairs', () => {
    expect(pairsAtMost('x', pairUp([1, 1, 1, 1], [10, 10, 10, 10]), 's', 1.2).verdict).toBe(
      'undecided',
    )
  })

  it('compares each measurement with its own anchor', () => {
    const pairs = pairUp([10, 20, 30, 40, 50], [10, 20, 30, 40, 50])
    expect(pairsAtMost('x', pairs, 's', 1)).toMatchObject({ ratio: 1, spread: [1, 1] })
  })
})
