import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeClose } from './merge-close.ts'

const points = fc.array(fc.record({ timestamp: fc.nat(600) }))

describe('moments that are close on the seek bar', () => {
  it('share a marker, and no moment is lost', () => {
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: 120 }), (moments, apart) => {
        const groups = mergeClose(moments, apart)
        const starts = groups.map(([first]) => first?.timestamp ?? 0)
        const times = moments.map(({ timestamp }) => timestamp)
        times.sort((a, b) => a - b)
        expect(groups.flat().map(({ timestamp }) => timestamp)).toEqual(times)
        for (const [index, start] of starts.slice(1).entries())
          expect(start - (starts[index] ?? 0)).toBeGreaterThanOrEqual(apart)
        for (const [index, group] of groups.entries())
          for (const { timestamp } of group)
            expect(timestamp - (starts[index] ?? 0)).toBeLessThan(apart)
      }),
    )
  })
})
