import { describe, expect, it } from 'vitest'
import { highlightsOf } from './highlights.ts'

const MINUTES_10 = 600
const curveOf = (change: Partial<Parameters<typeof highlightsOf>[0]> = {}) => ({
  plays: 100,
  parts: Array.from({ length: 100 }, (_, part) => (part <= 40 ? 0.75 : 0.5)),
  replays: Array.from({ length: 100 }, (_, part) => (part === 70 ? 0.2 : 0.04)),
  ...change,
})
const kindsOf = (...args: Parameters<typeof highlightsOf>) =>
  highlightsOf(...args).map(({ kind }) => kind)

describe('the highlights of a curve', () => {
  it('is half a minute, the largest drop and what is shown again most, in their order', () => {
    const [start, drop, again] = highlightsOf(curveOf(), MINUTES_10)
    expect(start).toEqual({ kind: 'start', part: 5, share: 0.75 })
    expect(drop).toEqual({ kind: 'drop', part: 40, before: 0.75, after: 0.5 })
    expect(again).toEqual({ kind: 'again', part: 70, share: 0.2 })
  })

  it('is nothing with few plays, in a flat curve, or at the end, where everyone leaves', () => {
    expect(highlightsOf(curveOf({ plays: 19 }), MINUTES_10)).toEqual([])
    const flat = Array.from({ length: 100 }, () => 0.8)
    const replays = flat.map(() => 0.1)
    expect(kindsOf(curveOf({ parts: flat, replays }), MINUTES_10)).toEqual(['start'])
    const ended = flat.map((share, part) => (part < 95 ? share : 0.1))
    expect(kindsOf(curveOf({ parts: ended, replays }), MINUTES_10)).toEqual(['start'])
  })

  it('has no start where half a minute is most of the video, or less than a part of it', () => {
    expect(kindsOf(curveOf(), 45)).toEqual(['drop', 'again'])
    expect(kindsOf(curveOf(), 2 * 3600)).toEqual(['drop', 'again'])
  })
})
