import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planChunk } from '../encoding/chunks.ts'
import type { VideoOutline } from '../playback/growing-video.ts'
import { chunkAt, isBeingEncoded, isReady, msUntilReady, type EncodedPart } from './preparation.ts'

const outline: VideoOutline = {
  durationMs: 320_000,
  frameRate: '25/1',
  rung: '360p',
  audio: ['audio-0'],
  chunks: { chunkFrames: 800, count: 10 },
}
const FIRST = [{ startMs: 0, endMs: 32_000 }]

const part = (name: string, index: number, change: Partial<EncodedPart> = {}): EncodedPart => ({
  name,
  index,
  fraction: 0.5,
  elapsedMs: 4_000,
  silentMs: 0,
  ...change,
})
const left = (positionMs: number, ...parts: EncodedPart[]) =>
  msUntilReady({ outline, ready: FIRST, parts, playheads: [], positionMs })

describe('the estimate until a place plays', () => {
  it('is zero for a place that plays, up to its end', () => {
    expect(left(0)).toBe(0)
    expect(left(31_800)).toBe(0)
    expect(isReady(FIRST, 32_000)).toBe(false)
  })

  it('is unknown without an encoder that has said how fast it is', () => {
    expect(left(40_000)).toBeNull()
    expect(left(40_000, part('360p', 1, { fraction: 0 }))).toBeNull()
    expect(left(40_000, part('360p', 1, { silentMs: 60_000 }))).toBeNull()
  })

  it('is what the encoder of its chunk still takes, and a moment to publish it', () => {
    expect(left(40_000, part('360p', 1))).toBe(5_000)
    expect(left(40_000, part('360p', 1, { silentMs: 1_500 }))).toBe(3_500)
  })

  it('is the mean time of a chunk, behind the next encoder that is free, for one that has not begun', () => {
    const done = part('360p', 0, { fraction: 1, elapsedMs: 6_000 })
    expect(left(200_000, done)).toBe(7_000)
    expect(left(200_000, done, part('360p', 1, { elapsedMs: 3_000 }))).toBe(6_000 + 4_000 + 1_000)
  })

  it('counts the time of a chunk by its length: the first one of a video is short', () => {
    const headed = {
      ...outline,
      chunks: { chunkFrames: 800, head: [200, 600], count: 11 },
    }
    const parts = [part('360p', 0, { fraction: 1, elapsedMs: 2_000 })]
    const wanted = { outline: headed, ready: [], parts, playheads: [], positionMs: 100_000 }
    expect(msUntilReady(wanted)).toBe(8_000 + 1_000)
  })

  it('begins again once the end of its worker is noticed', () => {
    const done = part('360p', 0, { fraction: 1, elapsedMs: 6_000 })
    const lost = part('360p', 6, { silentMs: 12_000 })
    expect(left(200_000, done, lost)).toBe(8_000 + 2_000 + 6_000 + 1_000)
  })

  it('does not count the time of attempts that were lost', () => {
    const done = part('360p', 0, { fraction: 1, elapsedMs: 6_000 })
    const again = part('360p', 6, { fraction: 0.1, elapsedMs: 40_000 })
    expect(left(200_000, done, again)).toBe(12_000 * 0.9 + 1_000)
  })

  it('counts what viewers before it wait for, shared by the encoders, and not what is ready or begun', () => {
    const parts = [
      part('360p', 0, { fraction: 1, elapsedMs: 6_000 }),
      part('360p', 1, { elapsedMs: 3_000 }),
      part('360p', 2, { elapsedMs: 3_000 }),
    ]
    const wanted = { outline, ready: FIRST, parts, positionMs: 200_000 }
    const mean = 6_000
    expect(msUntilReady({ ...wanted, playheads: [0, 2, 4, 6, 8] })).toBe(
      4_000 + mean / 2 + mean + 1_000,
    )
  })

  it('costs a reader little more for a viewer who claims to be at each chunk', () => {
    let looks = 0
    const chunks = {
      count: 320,
      get chunkFrames() {
        looks += 1
        return 800
      },
    }
    const long = { ...outline, durationMs: 320 * 32_000, chunks }
    const parts = [part('360p', 0, { fraction: 1, elapsedMs: 6_000 })]
    const playheads = Array.from({ length: chunks.count }, (_, index) => index)
    const wanted = { outline: long, ready: FIRST, parts, positionMs: 319 * 32_000 }
    expect(msUntilReady({ ...wanted, playheads })).toBe(319 * 6_000 + 1_000)
    expect(looks).toBeLessThan(10 * chunks.count)
  })

  it('does not wait for audio that is encoded with its chunks', () => {
    const picture = part('360p', 9, { fraction: 0.9, elapsedMs: 9_000 })
    const audio = part('audio-0', 0, { fraction: 0.1, elapsedMs: 3_000 })
    const together = { ...outline, hasSoundPieces: true }
    const wanted = { ready: FIRST, parts: [picture, audio], playheads: [], positionMs: 310_000 }
    expect(msUntilReady({ outline: together, ...wanted })).toBeCloseTo(2_000)
  })

  it('waits for audio that is further behind', () => {
    const picture = part('360p', 9, { fraction: 0.9 })
    const audio = part('audio-0', 0, { fraction: 0.1, elapsedMs: 3_000 })
    expect(left(310_000, picture, audio)).toBeCloseTo(30_000 * (310 / 320) - 3_000)
  })
})

describe('a place', () => {
  const isAt = (positionMs: number, ...parts: EncodedPart[]) =>
    isBeingEncoded({ outline, ready: FIRST, parts }, positionMs)

  it('is being encoded while the encoder of its chunk reports, from its first report until it plays', () => {
    expect(isAt(40_000, part('360p', 1, { fraction: null, elapsedMs: 0 }))).toBe(true)
    expect(isAt(40_000, part('360p', 1, { fraction: 1 }))).toBe(true)
    expect(isAt(30_000, part('360p', 0, { fraction: 1 }))).toBe(false)
  })

  it.each([
    ['nothing is encoded', []],
    ['another chunk is', [part('360p', 2)]],
    ['another rung is', [part('720p', 1)]],
    ['its encoder has ended with its worker', [part('360p', 1, { silentMs: 8_000 })]],
  ])('is not while %s', (_state, parts) => {
    expect(isAt(40_000, ...parts)).toBe(false)
  })
})

describe('the chunk at a position', () => {
  it('contains its frame, in every plan', () => {
    const plans = fc.record({
      chunkFrames: fc.integer({ min: 2, max: 400 }).map((pairs) => pairs * 2),
      count: fc.integer({ min: 1, max: 40 }),
    })
    fc.assert(
      fc.property(plans, fc.integer({ min: 0, max: 20_000 }), (plan, frame) => {
        const index = chunkAt(plan, '25/1', frame * 40)
        const { startFrame, endFrame } = planChunk(plan, '25/1', index)
        expect(startFrame).toBeLessThanOrEqual(frame)
        expect(endFrame === null || frame < endFrame).toBe(true)
      }),
    )
  })
})
