import { describe, expect, it } from 'vitest'
import { followOverdue } from './overdue.ts'

describe('a wait', () => {
  it('lasts longer than was estimated if the estimate has been at its end for three seconds', () => {
    const isOverdue = followOverdue()
    expect(isOverdue(4, 0)).toBe(false)
    expect(isOverdue(1, 3_000)).toBe(false)
    expect(isOverdue(1, 6_000)).toBe(false)
    expect(isOverdue(1, 6_001)).toBe(true)
    expect(isOverdue(9, 7_000)).toBe(false)
    expect(isOverdue(1, 16_000)).toBe(false)
    expect(isOverdue(null, 20_000)).toBe(false)
  })
})
