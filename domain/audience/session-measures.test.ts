import { describe, expect, it } from 'vitest'
import { boundValues } from './bound-values.ts'
import { valuesOf } from './breakdown.ts'
import { percentileOfSteps } from './percentile-of-steps.ts'
import { creditedParts, isComplete, isPlay, type SessionMeasures } from './session-measures.ts'

const partsOf = (count: number): string => '1'.repeat(count).padEnd(100, '0')
const MINUTE = 60_000

describe('a session', () => {
  it('is a play from three seconds on, and complete from 90 of 100 parts on', () => {
    expect([2_999, 3_000].map((watchedMs) => isPlay({ watchedMs }))).toEqual([false, true])
    expect([89, 90].map((count) => isComplete(partsOf(count)))).toEqual([false, true])
  })

  it('is credited with parts only if it has played for half of each', () => {
    const credited = (count: number, mediaMs: number, durationMs: number | null = 100 * MINUTE) =>
      creditedParts({ parts: partsOf(count), mediaMs }, durationMs) !== null
    expect(credited(100, 50 * MINUTE)).toBe(true)
    expect(credited(100, 49 * MINUTE)).toBe(false)
    expect(credited(1, 0)).toBe(true)
    expect(credited(2, 0)).toBe(false)
    expect(credited(1, MINUTE, null)).toBe(false)
  })
})

describe('the breakdown of plays', () => {
  const measures: SessionMeasures = {
    watchedMs: MINUTE,
    mediaMs: MINUTE,
    parts: null,
    replayedParts: null,
    firstFrameMs: 0,
    stalls: 0,
    stalledMs: 0,
    quality: null,
    speed: null,
    error: null,
  }

  it('has at most 50 values of a kind and day; a value that the day has stays its own', () => {
    const of = { accountId: 1, videoId: 'v', day: 1, kind: 'host' } as const
    const delta = (value: string) => ({ ...of, value, plays: 1, watchedMs: 0 })
    const known = [{ ...of, values: Array.from({ length: 49 }, (_, at) => `known-${at}`) }]
    const named = boundValues(['known-3', 'new', 'late', 'known-7'].map(delta), known)
    expect(named.map(({ value }) => value)).toEqual(['known-3', 'new', 'other', 'known-7'])
  })

  it('says of the time to the first frame a step that is at most a fifth too long', () => {
    const stepOf = (firstFrameMs: number): number => {
      const values = valuesOf({ refererHost: null, userAgent: null }, { ...measures, firstFrameMs })
      return Number(values.find(({ kind }) => kind === 'startup')?.value)
    }
    for (let ms = 100; ms < 59_000; ms = Math.ceil(ms * 1.07)) {
      expect(stepOf(ms)).toBeGreaterThanOrEqual(ms - 1)
      expect(stepOf(ms)).toBeLessThanOrEqual(ms * 1.2 + 1)
    }
    expect(stepOf(0)).toBe(100)
    expect(stepOf(600_000)).toBe(stepOf(60_000))
  })

  it('gives percentiles by the plays of the steps', () => {
    const counts = [
      { value: '900', plays: 5 },
      { value: '100', plays: 90 },
      { value: '200', plays: 5 },
    ]
    expect([0.5, 0.95, 0.96, 1].map((share) => percentileOfSteps(counts, share))).toEqual([
      100, 200, 900, 900,
    ])
    expect(percentileOfSteps([], 0.5)).toBeNull()
  })
})
