import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SOURCE_MAX_BYTES } from '../limits.ts'
import { countedBytes, reservationFor } from './plan.ts'

const MIB = 1024 * 1024
const size = fc.integer({ min: 0, max: SOURCE_MAX_BYTES })

describe('the reservation of a download of unknown length', () => {
  it('is an eighth more than has arrived, and at least 1 MiB more', () => {
    fc.assert(
      fc.property(size, (bytes) => {
        const ahead = reservationFor(bytes) - bytes
        expect(ahead).toBeGreaterThanOrEqual(MIB)
        expect(ahead).toBeLessThanOrEqual(Math.max(MIB, bytes / 8 + 1))
      }),
    )
  })

  it('grows fewer than 80 times up to the largest source', () => {
    let steps = 0
    for (let bytes = 0; bytes < SOURCE_MAX_BYTES; bytes = reservationFor(bytes + 1)) steps += 1
    expect(steps).toBeLessThan(80)
  })
})

describe('the storage that a video counts for during its ingest', () => {
  it('is the sum of source and renditions if the source is kept, else the larger of the two', () => {
    const sizes = { sourceBytes: 5, publishedBytes: 7 }
    expect(countedBytes({ keepsOriginal: true, ...sizes })).toBe(12)
    expect(countedBytes({ keepsOriginal: false, ...sizes })).toBe(7)
    expect(countedBytes({ keepsOriginal: false, ...sizes, sourceBytes: 9 })).toBe(9)
  })
})
