import { describe, expect, it } from 'vitest'
import { coreSecondsOf } from './share-core.ts'
import { simulateEncodes, type WaitingEncode } from './simulate.ts'

const first = (...seconds: number[]): WaitingEncode[] =>
  seconds.map((coreSeconds) => ({ kind: 'first', queue: 'encode-first', coreSeconds }))
const later = (...seconds: number[]): WaitingEncode[] =>
  seconds.map((coreSeconds) => ({ kind: 'later', queue: 'encode', coreSeconds }))

describe('simulated encodes', () => {
  it.each<[string, WaitingEncode[], number, number]>([
    ['on one core take the sum of their times', [...first(1, 2), ...later(10, 20)], 1, 33],
    ['on two cores take half, if they can be divided', later(5, 5, 5, 5), 2, 10],
    ['wait for the last long one', later(1, 1, 10), 2, 11],
    ['do not end earlier with more workers than encodes', later(4, 4), 64, 4],
    ['are none', [], 3, 0],
  ])('%s', (_title, encodes, workers, seconds) => {
    expect(simulateEncodes([encodes], workers)).toBeCloseTo(seconds, 6)
  })
})

describe('simulated encodes of many videos', () => {
  const limits = { startsPerSecond: Infinity, commitsPerSecond: Infinity, commitsPerEncode: 0 }
  const videos = [first(1, 1), first(1, 1), first(1, 1), first(1, 1)]

  it('take what their encodes take, without limits', () => {
    expect(simulateEncodes(videos, 4)).toBeCloseTo(2, 6)
  })

  it('wait for the relay, which starts one after another', () => {
    expect(simulateEncodes(videos, 8, { ...limits, startsPerSecond: 0.1 })).toBeCloseTo(31, 6)
  })

  it('wait for PostgreSQL, which writes the commits of one encode after another', () => {
    const slow = { ...limits, commitsPerSecond: 10, commitsPerEncode: 20 }
    expect(simulateEncodes(videos, 8, slow)).toBeCloseTo(1 + 8 * 2, 6)
  })

  it('take no longer with commits that are written faster than encodes end', () => {
    const fast = { ...limits, commitsPerSecond: 1000, commitsPerEncode: 10 }
    expect(simulateEncodes(videos, 1, fast)).toBeCloseTo(8 + 8 * 0.01, 6)
  })
})

describe('the time of an encode alone on its core', () => {
  it('is its share, by niceness, of the time beside others on the same worker', () => {
    const encode = { videoSeconds: 32, attempt: 1, worker: 'a' }
    const [firstSeconds = 0, laterSeconds = 0, otherSeconds] = coreSecondsOf([
      { ...encode, kind: 'first', startedMs: 0, endedMs: 10_000 },
      { ...encode, kind: 'later', startedMs: 0, endedMs: 30_000 },
      { ...encode, kind: 'later', startedMs: 0, endedMs: 30_000, worker: 'b' },
    ])
    expect(firstSeconds).toBeCloseTo((10 * 335) / 371, 6)
    expect(firstSeconds + laterSeconds).toBeCloseTo(30, 6)
    expect(otherSeconds).toBeCloseTo(30, 6)
  })
})
