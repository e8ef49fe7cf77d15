import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packStretches, unpackStretches } from './stretches.ts'

const seconds = fc.integer({ min: 0, max: 604_800 })
const stretch = fc
  .tuple(seconds, seconds, seconds)
  .map(([a, b, at]) => ({ from: Math.min(a, b), to: Math.max(a, b), at }))

describe('the stretches of a session', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 64 }), (stretches) => {
        expect(unpackStretches(packStretches(stretches))).toEqual(stretches)
      }),
    )
  })

  it('need four bytes for half an hour from the beginning', () => {
    expect(packStretches([{ from: 0, to: 1_800, at: 5 }])).toHaveLength(4)
  })
})
