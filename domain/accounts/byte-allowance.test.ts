import { describe, expect, it } from 'vitest'
import { createByteAllowance } from './byte-allowance.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.UTC(2026, 11, 1)

describe('the bytes of an account in a day', () => {
  it('can be taken until they are used up, and come back evenly', () => {
    const { take } = createByteAllowance(1000)
    expect(take(1, 600, NOW_MS)).toBe(0)
    expect(take(1, 400, NOW_MS)).toBe(0)
    expect(take(1, 250, NOW_MS)).toBeCloseTo(DAY_MS / 4)
    // What was refused took nothing.
    expect(take(1, 250, NOW_MS + DAY_MS / 4)).toBe(0)
    expect(take(1, 1, NOW_MS + DAY_MS / 4)).toBeGreaterThan(0)
    expect(take(1, 1000, NOW_MS + 2 * DAY_MS)).toBe(0)
  })

  it('are not those of another account', () => {
    const { take } = createByteAllowance(1000)
    expect(take(1, 1000, NOW_MS)).toBe(0)
    expect(take(2, 1000, NOW_MS)).toBe(0)
    expect(take(1, 1, NOW_MS)).toBeGreaterThan(0)
  })

  it('begin again for the account that took some longest ago if too many are remembered', () => {
    const { take } = createByteAllowance(1000, 2)
    for (const account of [1, 2, 1, 3]) take(account, 500, NOW_MS)
    expect(take(3, 501, NOW_MS)).toBeGreaterThan(0)
    expect(take(1, 1, NOW_MS)).toBeGreaterThan(0)
    expect(take(2, 1000, NOW_MS)).toBe(0)
  })
})
