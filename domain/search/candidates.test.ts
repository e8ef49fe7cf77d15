import { describe, expect, it } from 'vitest'
import { bestCandidates, distinctMoments, SAMPLES, samplesOf, sampleToRank } from './candidates.ts'

describe('the samples of passages', () => {
  it('have every second passage, every fourth and so on, each within the one before', () => {
    const counts = Array.from({ length: SAMPLES }, () => 0)
    const videos = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'))
    for (const video of videos)
      for (let number = 0; number < 10; number += 1) {
        const samples = samplesOf(`${video}ffff`, number)
        expect(samples).toEqual(samples.map((_, index) => index + 1))
        for (const sample of samples) counts[sample - 1] = (counts[sample - 1] ?? 0) + 1
      }
    expect(counts).toEqual([1_280, 640, 320, 160, 80, 40, 20, 10])
  })

  it.each([
    [0, 0],
    [15, 0],
    [16, 2],
    [31, 2],
    [32, 3],
    [500, 6],
    [1_000, 7],
    [1_001, 8],
    [4_000, 8],
  ])('are chosen by the matches of the smallest one: %i, sample %i', (count, sample) => {
    expect(sampleToRank(count)).toBe(sample)
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
