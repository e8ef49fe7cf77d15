import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMeasures } from './reported-measures.ts'

const LIMITS = { elapsedMaxMs: 70_000, playedMaxMs: 280_000 }
const read = (body: object) => readMeasures(new Map(Object.entries(body)), LIMITS)
const PARTS = `ff${'0'.repeat(23)}`

describe('the measures of a heartbeat', () => {
  it('are read within their bounds', () => {
    const body = {
      media_seconds: 999,
      parts: PARTS,
      replayed_parts: PARTS,
      stretches: [
        [0, 12.4, 3],
        [60, 70, 20],
      ],
      first_frame_seconds: 0.34,
      stalls: 2,
      stalled_seconds: 1.5,
      quality: 1080,
      speed: 1.25,
      error: 'network',
    }
    expect(read(body)).toEqual({
      mediaMs: 280_000,
      parts: PARTS,
      replayedParts: PARTS,
      stretches: [
        { from: 0, to: 12, at: 3 },
        { from: 60, to: 70, at: 20 },
      ],
      firstFrameMs: 340,
      stalls: 2,
      stalledMs: 1_500,
      quality: 1080,
      speed: 125,
      error: 'network',
    })
  })

  it('are absent for a player that reports none', () => {
    expect(read({ position_seconds: 3 })).toBeNull()
    expect(read({ parts: 'x', stretches: [], replayed_parts: PARTS })).toBeNull()
  })

  it.each([
    [{ parts: `${PARTS}0` }],
    [{ parts: PARTS.toUpperCase() }],
    [{ stretches: Array.from({ length: 65 }, () => [0, 1, 0]) }],
    [{ stretches: [[5, 4, 0]] }],
    [{ stretches: [[0, 1]] }],
    [{ stretches: [[0, 1, 604_801]] }],
    [{ error: 'x'.repeat(41) }],
    [{ error: `'; drop table` }],
    [{ quality: 9_000, speed: 17, stalls: 1e9, media_seconds: -1 }],
  ])('are nothing if they are out of bounds: %j', (body) => {
    expect(read(body)).toBeNull()
  })

  it('are numbers and texts that PostgreSQL can store, whatever is sent', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('media_seconds', 'parts', 'stretches', 'speed', 'error', 'stalls'),
          fc.anything(),
        ),
        (body) => {
          const { stretches, ...measures } = read(body) ?? { stretches: null }
          const numbers = [...(stretches ?? []).flatMap(Object.values), ...Object.values(measures)]
          for (const value of numbers)
            if (typeof value === 'number')
              expect(Number.isInteger(value) && value >= 0 && value < 2 ** 31).toBe(true)
        },
      ),
    )
  })
})
