import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Rendition, Segment } from '../videos/rendition.ts'
import { ChunksDoNotFitError, joinChunks, type ChunkFacts } from './join-chunks.ts'

const INIT_BYTES = 900
const TIMESCALE = 12_800

const RENDITION = {
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
  timescale: TIMESCALE,
} as const

const totalBytes = (segments: Segment[]): number =>
  segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
const ticksOf = (segments: Segment[]): number =>
  segments.reduce((sum, { durationTicks }) => sum + durationTicks, 0)

/** The chunks of a video, given the segments of each. */
function chunksOf(parts: Segment[][]): ChunkFacts[] {
  return parts.map((segments, index) => {
    const before = parts.slice(0, index).flat()
    const rendition: Rendition = {
      ...RENDITION,
      segments,
      bandwidthBps: 1,
      averageBandwidthBps: 1,
      durationMs: 1,
      sizeBytes: totalBytes(segments) + (index === 0 ? INIT_BYTES : 0),
    }
    const token = index.toString(16).padStart(8, '0')
    const startTicks = ticksOf(before)
    const shared = { token, startTicks, initHash: 'one', encoded: null }
    return { ...shared, firstSegment: before.length + 1, rendition }
  })
}

const segment = fc.record({
  durationTicks: fc.integer({ min: 1, max: 60_000 }),
  sizeBytes: fc.integer({ min: 1, max: 2_000_000 }),
})
const video = fc.array(fc.array(segment, { minLength: 1, maxLength: 9 }), {
  minLength: 1,
  maxLength: 12,
})

const FOUR_SECONDS = 4 * TIMESCALE
const four = (sizeBytes: number): Segment => ({ durationTicks: FOUR_SECONDS, sizeBytes })
const one = (sizeBytes: number): Segment => ({ durationTicks: FOUR_SECONDS / 4, sizeBytes })

describe('a rendition of chunks', () => {
  it('has all segments in order, names the part of each, and counts every byte once', () => {
    fc.assert(
      fc.property(video, (parts) => {
        const whole = joinChunks(chunksOf(parts))
        expect(whole.segments).toEqual(parts.flat())
        expect(whole.sizeBytes).toBe(totalBytes(parts.flat()) + INIT_BYTES)
        expect(whole.durationMs).toBe(Math.round((ticksOf(parts.flat()) * 1000) / TIMESCALE))
        const owners = whole.segments.map((_, index) =>
          whole.parts?.findLast(({ firstSegment }) => firstSegment <= index + 1),
        )
        const expected = parts.flatMap((segments, index) =>
          segments.map(() => index.toString(16).padStart(8, '0')),
        )
        expect(owners.map((part) => part?.token)).toEqual(expected)
      }),
    )
  })

  it('declares the peak rate over its whole list, also where it lies across a seam', () => {
    const parts = [
      [four(500_000), one(1_000_000)],
      [one(1_000_000), four(500_000)],
    ]
    const alone = parts.map((segments) => joinChunks(chunksOf([segments])).bandwidthBps)
    expect(alone).toEqual([2_400_000, 2_400_000])
    expect(joinChunks(chunksOf(parts)).bandwidthBps).toBe(8_000_000)
  })

  it.each([
    ['initialisation_segment', { initHash: 'two' }, 'one', 'two'],
    ['start', { startTicks: 7 }, expect.any(Number), 7],
    ['segment_number', { firstSegment: 9 }, 2, 9],
  ])(
    'is refused for a chunk with another %s, and says what differs',
    (reason, change: Partial<ChunkFacts>, expected, found) => {
      const chunks = chunksOf([[four(1)], [four(1)], [four(1)]])
      const wrong = chunks.map((chunk, index) => (index === 1 ? { ...chunk, ...change } : chunk))
      expect(() => joinChunks(wrong)).toThrow(ChunksDoNotFitError)
      expect(() => joinChunks(wrong)).toThrow(
        expect.objectContaining({ fault: { reason, chunk: 1, expected, found } }),
      )
    },
  )

  it('is refused for a chunk of another picture, and without a chunk', () => {
    const [first, second] = chunksOf([[four(1)], [four(1)]])
    if (!first || !second) throw new Error('there are two chunks')
    const wider = { ...second, rendition: { ...second.rendition, width: 854 } }
    expect(() => joinChunks([first, wider])).toThrow('width')
    expect(() => joinChunks([second, first])).toThrow(ChunksDoNotFitError)
    expect(() => joinChunks([second])).toThrow('first_chunk')
    expect(() => joinChunks([])).toThrow(ChunksDoNotFitError)
  })
})
