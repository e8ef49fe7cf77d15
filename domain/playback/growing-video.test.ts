import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinChunks, type ChunkFacts } from '../encoding/join-chunks.ts'
import type { Rendition } from '../videos/rendition.ts'
import {
  completeTrack,
  readyRanges,
  segmentsFrom,
  segmentSize,
  trackOf,
  watchableMs,
  type GrowingTrack,
} from './growing-video.ts'

const TIMESCALE = 1_000
const SEGMENT_TICKS = 4_000
/** Of each chunk. */
const SEGMENTS = 2

const base: Rendition = {
  kind: 'video',
  name: '360p',
  trackType: 'SD',
  codecs: 'avc1.64001e',
  width: 640,
  height: 360,
  frameRate: '25/1',
  language: null,
  label: null,
  channels: null,
  sampleRate: null,
  bandwidthBps: 1e6,
  averageBandwidthBps: 1e6,
  timescale: TIMESCALE,
  segments: [],
  durationMs: 8_000,
  sizeBytes: 30,
}

/** Chunk `index` of a video of chunks of 8 s. Segment `n` has `n` bytes. */
function chunk(index: number): ChunkFacts {
  const firstSegment = 1 + index * SEGMENTS
  const sizes = Array.from({ length: SEGMENTS }, (_, offset) => firstSegment + offset)
  const segments = sizes.map((sizeBytes) => ({ durationTicks: SEGMENT_TICKS, sizeBytes }))
  return {
    token: `0000000${index}`.slice(-8),
    firstSegment,
    startTicks: index * SEGMENTS * SEGMENT_TICKS,
    initHash: 'a',
    encoded: null,
    rendition: { ...base, segments },
  }
}

const track = (...indexes: number[]): GrowingTrack => {
  const made = trackOf(indexes.map(chunk))
  if (!made) throw new Error('the first chunk is missing')
  return made
}
/** Audio whose chunks begin 20 ms later, but for the first one. */
const heard = (...indexes: number[]): GrowingTrack => {
  const chunks = indexes.map(chunk).map(({ rendition, startTicks, ...facts }) => ({
    ...facts,
    startTicks: startTicks === 0 ? 0 : startTicks + 20,
    rendition: { ...rendition, kind: 'audio' as const },
  }))
  const made = trackOf(chunks)
  if (!made) throw new Error('the first chunk is missing')
  return made
}
const complete = (count: number): GrowingTrack => {
  const chunks = Array.from({ length: count }, (_, index) => chunk(index))
  const made = completeTrack(joinChunks(chunks))
  if (!made) throw new Error('the rendition has no parts')
  return made
}

describe('a track of a video that grows', () => {
  it('begins with its first chunk, which has the initialisation segment', () => {
    expect(trackOf([])).toBeNull()
    expect(trackOf([chunk(1)])).toBeNull()
    expect(trackOf([chunk(0)])).toMatchObject({ token: '00000000', isComplete: false })
  })

  it('lists segments from the one at a time to the next gap', () => {
    const grown = track(0, 1, 3)
    const numbersAt = (fromMs: number) => {
      const run = segmentsFrom(grown, fromMs)
      return run && run.segments.map((_, index) => run.firstSegment + index)
    }
    expect(numbersAt(0)).toEqual([1, 2, 3, 4])
    expect(numbersAt(4_000)).toEqual([2, 3, 4])
    expect(numbersAt(3_999.5)).toEqual([2, 3, 4])
    expect(numbersAt(15_000)).toEqual([4])
    expect(numbersAt(16_000)).toBeNull()
    expect(numbersAt(24_000)).toEqual([7, 8])
    expect(numbersAt(32_000)).toBeNull()
  })

  it('lists its last segment behind its end once it is complete', () => {
    expect(segmentsFrom(complete(2), 60_000)).toMatchObject({ firstSegment: 4, startTicks: 12_000 })
  })

  it('has sizes of published segments only', () => {
    const grown = track(0, 2)
    expect([1, 2, 3, 4, 5, 6, 7].map((number) => segmentSize(grown, number))).toEqual([
      1,
      2,
      null,
      null,
      5,
      6,
      null,
    ])
  })

  it('is listed from a time as a whole that only grows at its end, whatever is published when', () => {
    const orders = fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 6 })
    fc.assert(
      fc.property(orders, fc.integer({ min: 0, max: 55_000 }), (order, fromMs) => {
        let before: number[] = []
        for (let count = 0; count <= order.length; count++) {
          const indexes = [0, ...order.slice(0, count)].toSorted((a, b) => a - b)
          const run = segmentsFrom(track(...indexes), fromMs)
          const numbers = run?.segments.map((_, index) => run.firstSegment + index) ?? []
          expect(numbers.slice(0, before.length)).toEqual(before)
          before = numbers
        }
        const whole = segmentsFrom(complete(7), fromMs)
        expect(whole?.segments).toHaveLength(before.length)
      }),
    )
  })
})

describe('what plays of a video that grows', () => {
  const range = (startMs: number, endMs: number) => ({ startMs, endMs })

  it('has picture and audio', () => {
    expect(readyRanges({ picture: track(0, 1, 3), audio: [track(0, 1, 2, 3)] })).toEqual([
      range(0, 16_000),
      range(24_000, 32_000),
    ])
    expect(readyRanges({ picture: track(0, 1, 3), audio: [track(0)] })).toEqual([range(0, 8_000)])
  })

  it('has holes where the audio has, which may begin a packet later than its picture', () => {
    const audio = heard(0, 3)
    expect(readyRanges({ picture: track(0, 1, 3), audio: [audio] })).toEqual([
      range(0, 8_000),
      range(24_000, 32_000),
    ])
    expect(readyRanges({ picture: track(0, 1, 2, 3), audio: [audio, track(0, 1, 2, 3)] })).toEqual([
      range(0, 8_000),
      range(24_000 - 2, 32_000),
    ])
  })

  it('begins with the audio that is at most a packet later, whatever else is published', () => {
    const firstOf = (audio: GrowingTrack) => segmentsFrom(audio, 24_000)?.firstSegment
    expect(firstOf(heard(0, 3))).toBe(7)
    expect(firstOf(heard(0, 1, 2, 3))).toBe(7)
    expect(segmentsFrom(heard(0, 1, 2), 24_000)).toBeNull()
  })

  it('does not wait for audio that has ended, and needs none', () => {
    expect(readyRanges({ picture: track(0, 1), audio: [complete(1)] })).toEqual([range(0, 16_000)])
    expect(readyRanges({ picture: track(0, 2), audio: [] })).toEqual([
      range(0, 8_000),
      range(16_000, 24_000),
    ])
  })
})

describe('how much of the beginning plays', () => {
  const outline = {
    durationMs: 30_000,
    frameRate: '25/1',
    rung: '360p',
    audio: ['audio-0'],
    chunks: { chunkFrames: 200, count: 4 },
  }
  const recorded = (name: string, ...indexes: number[]) =>
    indexes.map((index) => ({ name, index, durationMs: 8_000 }))

  it('is what both picture and audio have without a gap', () => {
    const both = [...recorded('360p', 0, 1, 3), ...recorded('audio-0', 0, 1, 2)]
    expect(watchableMs(outline, both, [])).toBe(16_000)
    expect(watchableMs(outline, recorded('360p', 0, 1), [])).toBe(0)
    expect(watchableMs(outline, recorded('360p', 1), ['audio-0'])).toBe(0)
    expect(watchableMs(outline, recorded('360p', 0, 2), ['audio-0'])).toBe(8_000)
  })
})
