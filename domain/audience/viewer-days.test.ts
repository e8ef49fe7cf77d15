import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDay, type ViewerDays } from './viewer-days.ts'

describe('the days of a viewer', () => {
  it('are new once, in whatever order they come, within 32 days of the last one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 20_000, max: 20_031 })), (days) => {
        let known: ViewerDays = { lastDay: null, recentDays: 0 }
        const seen = new Set<number>()
        for (const day of days) {
          const { isNew, ...after } = addDay(known, day)
          expect(isNew).toBe(!seen.has(day))
          known = after
          seen.add(day)
        }
      }),
    )
  })

  it('that are further back are not new, because they may be known no longer', () => {
    const { isNew: _, ...known } = addDay({ lastDay: null, recentDays: 0 }, 100)
    expect(addDay(known, 68)).toMatchObject({ isNew: false, lastDay: 100 })
    const later = addDay(known, 200)
    expect(later).toMatchObject({ isNew: true, lastDay: 200, recentDays: 1 })
  })
})
