import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countParts, PARTS } from '../audience/session-measures.ts'
import { playedSegments, segmentsOfParts } from './played-segments.ts'

const second = fc.integer({ min: 0, max: 5_000_000 }).map((ms) => ms / 1000)
const anySegments = fc.array(fc.record({ from: second, to: second }), { maxLength: 64 })

const read = (text: string | null): number[][] =>
  text === null ? [] : text.split('[,]').map((pair) => pair.split('[.]').map(Number))

describe('played segments', () => {
  it('are pairs in the form of the profile', () => {
    const segments = [
      { from: 40, to: 55.5 },
      { from: 0, to: 12 },
      { from: 7, to: 7 },
    ]
    expect(playedSegments(segments, 50)).toBe('40[.]50[,]0[.]12')
    expect(playedSegments([], 50)).toBeNull()
  })

  it('keep the order and the seconds of what was played, each within the video', () => {
    fc.assert(
      fc.property(anySegments, fc.option(second), (segments, length) => {
        const text = playedSegments(segments, length)
        const end = length ?? Infinity
        expect(read(text)).toEqual(
          segments
            .filter(({ from, to }) => from < Math.min(to, end))
            .map(({ from, to }) => [from, Math.min(to, end)]),
        )
        if (text !== null) expect(text).toMatch(/^\d+(\.\d{1,3})?\[\.\]\d+(\.\d{1,3})?(\[,\].+)?$/)
      }),
    )
  })

  it('of hundredths cover as much of the video as these, and never touch', () => {
    const anyParts = fc.array(fc.constantFrom('0', '1'), { minLength: PARTS, maxLength: PARTS })
    fc.assert(
      fc.property(anyParts, fc.integer({ min: 1, max: 90_000 }), (bits, length) => {
        const segments = segmentsOfParts(bits.join(''), length)
        const covered = segments.reduce((sum, { from, to }) => sum + to - from, 0)
        expect(covered / length).toBeCloseTo(countParts(bits.join('')) / PARTS, 6)
        for (const [at, { from }] of segments.entries())
          expect(from).toBeGreaterThan(segments[at - 1]?.to ?? -1)
      }),
    )
  })
})
