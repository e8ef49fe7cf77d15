import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  progressOf,
  stepsOf,
  type ProgressRow,
  type RecordedProgress,
  type RecordedStage,
} from './video-progress.ts'

const STARTED = new Date('2026-11-23T10:00:00Z')

const row = (name: string, stage: RecordedStage, fraction: number | null = null) => ({
  name,
  stage,
  fraction,
  startedAt: STARTED,
  updatedAt: STARTED,
})

describe('the steps of an ingest', () => {
  it('come in their order, renditions from small to large', () => {
    const names = ['finish', 'audio-0', '1080p', '240p', 'keys', 'prepare', 'download']
    const steps = stepsOf(
      names.map((name) => row(name, 'running')),
      [],
    )
    expect(steps.map(({ name }) => name)).toEqual([
      'download',
      'prepare',
      'keys',
      '240p',
      '1080p',
      'audio-0',
      'finish',
    ])
  })

  it('are done when a later one is recorded, but a rendition only when it is published', () => {
    const rows = [
      row('download', 'running', 1),
      row('prepare', 'running'),
      row('240p', 'running', 0.4),
      row('480p', 'waiting'),
      row('720p', 'running', 0.9),
    ]
    expect(stepsOf(rows, ['720p'])).toEqual([
      { name: 'download', stage: 'done', fraction: 1 },
      { name: 'prepare', stage: 'done', fraction: 1 },
      { name: '240p', stage: 'running', fraction: 0.4 },
      { name: '480p', stage: 'waiting', fraction: null },
      { name: '720p', stage: 'done', fraction: 1 },
    ])
  })

  it('show the published renditions also when nothing is recorded', () => {
    expect(stepsOf([], ['360p'])).toEqual([{ name: '360p', stage: 'done', fraction: 1 }])
  })
})

/** The progress `seconds` after the first row was written. */
const after = (
  seconds: number,
  rows: ProgressRow[],
  change: Partial<RecordedProgress> = {},
): RecordedProgress => ({
  id: 'a'.repeat(20),
  status: 'processing',
  rows,
  published: [],
  watchableMs: 0,
  readAt: new Date(STARTED.getTime() + seconds * 1000),
  ...change,
})

const wholeOf = (recorded: RecordedProgress): number => progressOf(recorded)?.fraction ?? NaN
const leftOf = (recorded: RecordedProgress) => progressOf(recorded)?.secondsLeft

describe('the progress of a whole ingest', () => {
  it('counts each rendition by its work: the first one decodes the source for itself', () => {
    const [first, later] = [360 ** 1.5 + 0.28 * 720 ** 1.5, 720 ** 1.5]
    const small = after(60, [row('360p', 'running', 1), row('720p', 'running', 0)])
    const large = after(60, [row('360p', 'running', 0), row('720p', 'running', 1)])
    expect(wholeOf(small)).toBeCloseTo(0.06 + (0.9 * first) / (first + later))
    expect(wholeOf(large)).toBeCloseTo(0.06 + (0.9 * later) / (first + later))
  })

  it('moves while the source is downloaded, without an estimate', () => {
    const rows = [row('download', 'running', 0.5)]
    expect(progressOf(after(60, rows))).toEqual({
      fraction: 0.025,
      secondsLeft: null,
      watchableSeconds: 0,
      renditions: [],
    })
  })

  it('estimates the time left from the speed of the encoding, which includes the last step', () => {
    const rows = [row('download', 'running', 1), row('720p', 'running', 0.5)]
    expect(wholeOf(after(60, rows))).toBeCloseTo(0.51)
    // 0.45 of the whole took 60 s, and 0.49 is left.
    expect(leftOf(after(60, rows))).toBe(66)
    const finishing = [...rows, row('finish', 'running', 0)]
    expect(leftOf(after(90, finishing, { published: ['720p'] }))).toBe(4)
  })

  it('has no estimate before there is a basis: too little time, or too little done', () => {
    expect(leftOf(after(4, [row('720p', 'running', 0.5)]))).toBeNull()
    expect(leftOf(after(60, [row('720p', 'running', 0.001)]))).toBeNull()
    expect(leftOf(after(60, [row('720p', 'waiting')], { published: ['360p'] }))).toBeNull()
  })

  it('is complete only when the video is ready, and unknown once it has failed', () => {
    const rows = [row('720p', 'running', 1), row('finish', 'running', 1)]
    const recorded = after(60, rows, { published: ['720p'] })
    expect(wholeOf(recorded)).toBe(0.99)
    expect(progressOf({ ...recorded, rows: [], status: 'ready' })).toEqual({
      fraction: 1,
      secondsLeft: null,
      watchableSeconds: null,
      renditions: [{ name: '720p', fraction: 1 }],
    })
    expect(progressOf({ ...recorded, status: 'failed' })).toBeNull()
  })

  it('shows 99 % of a rendition that is encoded and not published', () => {
    const rows = [row('360p', 'running', 1), row('720p', 'running', 1)]
    expect(progressOf(after(60, rows, { published: ['360p'] }))?.renditions).toEqual([
      { name: '360p', fraction: 1 },
      { name: '720p', fraction: 0.99 },
    ])
  })
})

describe('the progress of any ingest', () => {
  const NAMES = ['360p', '720p', '1080p', '2160p', 'audio-0', 'audio-1']
  const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
    minLength: NAMES.length,
    maxLength: NAMES.length,
  })
  const encoding = (at: readonly number[]): ProgressRow[] =>
    NAMES.map((name, index) => row(name, 'running', at[index] ?? 0))

  it('stays between 0 and 1, and its estimate is a whole number of seconds that is not negative', () => {
    fc.assert(
      fc.property(fractions, fc.nat(1_000_000), fc.subarray(NAMES), (at, seconds, published) => {
        const progress = progressOf(after(seconds, encoding(at), { published }))
        const { fraction, secondsLeft } = progress ?? { fraction: NaN, secondsLeft: NaN }
        expect(fraction).toBeGreaterThanOrEqual(0.06)
        expect(fraction).toBeLessThan(1)
        if (secondsLeft === null) return
        expect(Number.isInteger(secondsLeft)).toBe(true)
        expect(secondsLeft).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('never falls from step to step, while steps advance or renditions are published', () => {
    const moves = fc.array(
      fc.record({
        index: fc.nat(NAMES.length - 1),
        by: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    )
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), moves, (download, steps) => {
        const seen = [
          wholeOf(after(0, [])),
          wholeOf(after(1, [row('download', 'running', download)])),
        ]
        const before = [row('download', 'running', 1), row('prepare', 'running')]
        seen.push(wholeOf(after(2, before)))
        const at = NAMES.map(() => 0)
        const published: string[] = []
        for (const { index, by } of steps) {
          at[index] = Math.min(1, (at[index] ?? 0) + by)
          const name = NAMES[index] ?? ''
          if (at[index] === 1 && !published.includes(name)) published.push(name)
          seen.push(wholeOf(after(3, [...before, ...encoding(at)], { published })))
        }
        const finish = [...before, ...encoding(at), row('finish', 'running')]
        seen.push(wholeOf(after(4, finish, { published: NAMES })))
        seen.push(wholeOf(after(5, [], { published: NAMES, status: 'ready' })))
        expect(seen).toEqual(seen.toSorted((a, b) => a - b))
      }),
    )
  })
})
