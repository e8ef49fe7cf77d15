import { describe, expect, it } from 'vitest'
import { stepRange } from './step-range.ts'

const TODAY = '2026-11-21'

describe('a step of the time', () => {
  it('is as long as the time, up to today', () => {
    const days = { from: '2026-11-11', to: '2026-11-15' }
    expect(stepRange(days, -1, TODAY)).toEqual({ from: '2026-11-06', to: '2026-11-10' })
    expect(stepRange(days, 1, TODAY)).toEqual({ from: '2026-11-16', to: '2026-11-20' })
    const later = { from: '2026-11-16', to: '2026-11-20' }
    expect(stepRange(later, 1, TODAY)).toEqual({ from: TODAY, to: TODAY })
    expect(stepRange({ from: TODAY, to: TODAY }, 1, TODAY)).toBeNull()
  })

  it('leads from whole months to whole months, which differ in length', () => {
    const february = { from: '2024-02-01', to: '2024-02-29' }
    expect(stepRange(february, -1, TODAY)).toEqual({ from: '2024-01-01', to: '2024-01-31' })
    expect(stepRange(february, 1, TODAY)).toEqual({ from: '2024-03-01', to: '2024-03-31' })
    const winter = { from: '2023-11-01', to: '2024-02-29' }
    expect(stepRange(winter, 1, TODAY)).toEqual({ from: '2024-03-01', to: '2024-06-30' })
  })
})
