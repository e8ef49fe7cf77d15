import { describe, expect, it } from 'vitest'
import { bestCandidates, distinctMoments, sliceOf, SLICES, slicesToRead } from './candidates.ts'

describe('the slices of passages', () => {
  it('are all in use, evenly', () => {
    const counts = new Map<number, number>()
    for (let video = 0; video < 256; video += 1)
      for (let number = 0; number < 10; number += 1) {
        const slice = sliceOf(`${video.toString(16).padStart(2, '0')}ffff`, number)
        counts.set(slice, (counts.get(slice) ?? 0) + 1)
      }
    expect(counts.size).toBe(SLICES)
    expect(new Set(counts.values())).toEqual(new Set([10]))
  })

  it.each([
    [0, SLICES],
    [1, SLICES],
    [15, SLICES],
    [16, 125],
    [100, 20],
    [499, 5],
    [500, null],
    [4_000, null],
  ])('are read by what the first one has: %i matches, %j slices', (count, slices) => {
    expect(slicesToRead(count)).toBe(slices)
  })
})

describe('the best candidates', () => {
  const candidate = (videoId: string, number: number, rank: number) => ({
    videoId,
    number,
    rank,
    languageCode: 'en',
  })

  it('are by rank, with six of a video, in the same order each time', () => {
    const long = Array.from({ length: 10 }, (_, number) => candidate('a', number, 2))
    const others = [candidate('c', 0, 1), candidate('b', 0, 1), candidate('b', 1, 3)]
    const best = bestCandidates([...others, ...long.toReversed()], 100)
    expect(best.map(({ videoId, number }) => `${videoId}${number}`)).toEqual([
      'b1',
      'a0',
      'a1',
      'a2',
      'a3',
      'a4',
      'a5',
      'b0',
      'c0',
    ])
    expect(bestCandidates(long, 2)).toHaveLength(2)
  })
})

describe('moments', () => {
  const moment = (videoId: string, startMs: number) => ({ videoId, startMs, endMs: startMs + 10 })

  it('of one time in one video are one, and a video has three', () => {
    const moments = [
      moment('a', 0),
      moment('a', 5),
      moment('b', 0),
      moment('a', 10),
      moment('a', 20),
      moment('a', 30),
      moment('c', 0),
    ]
    const of = (limit: number) =>
      distinctMoments(moments, limit).map(({ videoId, startMs }) => `${videoId}${startMs}`)
    expect(of(10)).toEqual(['a0', 'b0', 'a10', 'a20', 'c0'])
    expect(of(2)).toEqual(['a0', 'b0'])
  })
})
