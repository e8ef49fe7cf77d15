import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SourceFacts } from '../ingest/source-facts.ts'
import {
  gopFrames,
  planChunk,
  planChunks,
  planLaterChunks,
  segmentFrames,
  segmentSeconds,
  WHOLE_VIDEO,
  withoutHead,
} from './chunks.ts'

const MP4 = 'mov,mp4,m4a,3gp,3g2,mj2'

interface Stated {
  container?: string
  frameRate?: string
  durationMs: number | null
  pictureMs?: number | null
}

const makeFacts = ({
  container = MP4,
  frameRate = '25/1',
  durationMs,
  pictureMs = durationMs,
}: Stated): SourceFacts => ({
  container,
  durationMs,
  video: {
    index: 0,
    codec: 'h264',
    width: 640,
    height: 360,
    displayWidth: 640,
    displayHeight: 360,
    rotation: 0,
    frameRate,
    durationMs: pictureMs,
    interlaced: false,
    hdr: null,
  },
  audio: [],
})

const frameRates = fc.oneof(
  fc.constantFrom('24000/1001', '24/1', '25/1', '30000/1001', '30/1', '50/1', '60000/1001', '60/1'),
  fc.constantFrom('1513/100', '1/1', '1/10', '16777216/559243', '15/2'),
)
const videos = fc.record({ frameRate: frameRates, durationMs: fc.integer({ min: 1, max: 2e8 }) })
/** Tests plan shorter chunks than the service does. */
const chunkLengths = fc.constantFrom(1, 4, 32, 64)

const framesOf = ({ frameRate, durationMs }: { frameRate: string; durationMs: number }) => {
  const [numerator = 0, denominator = 1] = frameRate.split('/').map(Number)
  return (durationMs * numerator) / denominator / 1000
}

describe('the chunks of a video', () => {
  it('cover it without gap or overlap, and the last one is open', () => {
    fc.assert(
      fc.property(videos, chunkLengths, (video, seconds) => {
        const plan = planChunks(makeFacts(video), seconds)
        const chunks = Array.from({ length: plan.count }, (_, index) =>
          planChunk(plan, video.frameRate, index),
        )
        expect(chunks[0]?.startFrame).toBe(0)
        for (const [index, chunk] of chunks.entries())
          expect(chunk.endFrame).toBe(chunks[index + 1]?.startFrame ?? null)
        const lastFrames = framesOf(video) - (chunks.at(-1)?.startFrame ?? 0)
        const usual = plan.tail?.frames ?? plan.chunkFrames
        expect(lastFrames).toBeLessThanOrEqual(1.5 * usual)
        if (plan.count > 1) expect(lastFrames).toBeGreaterThanOrEqual(0.5 * usual)
      }),
    )
  })

  it('are whole segments of two groups of pictures, whose numbers continue', () => {
    fc.assert(
      fc.property(videos, chunkLengths, (video, seconds) => {
        const plan = planChunks(makeFacts(video), seconds)
        const perSegment = segmentFrames(video.frameRate)
        expect(perSegment).toBe(2 * gopFrames(video.frameRate))
        expect(plan.chunkFrames % perSegment).toBe(0)
        expect((plan.tail?.frames ?? 0) % perSegment).toBe(0)
        let next = 1
        for (let index = 0; index < plan.count; index += 1) {
          const { firstSegment, startFrame, endFrame } = planChunk(plan, video.frameRate, index)
          expect(firstSegment).toBe(next)
          next += ((endFrame ?? 0) - startFrame) / perSegment
        }
      }),
    )
  })

  it('are halves at the end: of at most four chunks, and of at most a quarter', () => {
    fc.assert(
      fc.property(videos, chunkLengths, (video, seconds) => {
        const { chunkFrames, count, tail } = withoutHead(planChunks(makeFacts(video), seconds))
        const uncut = Math.max(1, Math.round(framesOf(video) / chunkFrames))
        const long = count - (tail?.count ?? 0)
        expect(uncut - long).toBeLessThanOrEqual(Math.min(4, uncut / 4))
        const canBeHalved = chunkFrames >= 2 * segmentFrames(video.frameRate)
        expect(tail !== undefined).toBe(uncut >= 4 && canBeHalved)
        if (tail) expect(tail.frames).toBeLessThanOrEqual(chunkFrames / 2)
      }),
    )
  })

  it('begin short, each as long as all before it, unless chunks are short themselves', () => {
    fc.assert(
      fc.property(videos, chunkLengths, (video, seconds) => {
        const plan = planChunks(makeFacts(video), seconds)
        const unit = segmentFrames(video.frameRate)
        const whole = withoutHead(plan)
        const { head } = plan
        expect(head !== undefined).toBe(whole.count > 1 && plan.chunkFrames >= 4 * unit)
        if (!head) {
          expect(whole).toEqual(plan)
          return
        }
        let before = 0
        for (const frames of head) {
          expect(frames).toBeLessThanOrEqual(Math.max(2 * unit, before))
          before += frames
        }
        expect(head[0]).toBe(2 * unit)
        expect(before).toBe(plan.chunkFrames)
        for (let index = 1; index < whole.count; index += 1) {
          const place = index - 1 + head.length
          const expected = { ...planChunk(whole, video.frameRate, index), index: place }
          expect(planChunk(plan, video.frameRate, place)).toEqual(expected)
        }
      }),
    )
  })

  it('of a plan of an older workflow have one length', () => {
    const plan = { chunkFrames: 800, count: 38 }
    expect(planChunk(plan, '25/1', 36)).toMatchObject({ startFrame: 28_800, endFrame: 29_600 })
    expect(planChunk(plan, '25/1', 37)).toMatchObject({ startFrame: 29_600, endFrame: null })
  })

  it('are at most 340', () => {
    fc.assert(
      fc.property(videos, chunkLengths, (video, seconds) => {
        expect(planChunks(makeFacts(video), seconds).count).toBeLessThanOrEqual(340)
      }),
    )
  })

  it.each([
    [
      'a video of 20 minutes',
      { durationMs: 1_200_000 },
      {
        chunkFrames: 800,
        count: 43,
        head: [200, 200, 400],
        tail: { frames: 400, count: 7 },
      },
    ],
    [
      'a video of 10 hours',
      { durationMs: 36_000_000, frameRate: '30/1' },
      {
        chunkFrames: 29 * 120,
        count: 319,
        head: [2, 2, 4, 8, 13].map((segments) => segments * 120),
        tail: { frames: 14 * 120, count: 9 },
      },
    ],
    ['a video of 47 seconds', { durationMs: 47_000 }, { chunkFrames: 800, count: 1 }],
    [
      'a video of 48 seconds at 29.97',
      { durationMs: 48_100, frameRate: '30000/1001' },
      { chunkFrames: 960, count: 4, head: [240, 240, 480] },
    ],
    [
      'a picture that ends before the audio does',
      { durationMs: 600_000, pictureMs: 60_000 },
      { chunkFrames: 800, count: 4, head: [200, 200, 400] },
    ],
    [
      'a track without a duration in a file with one',
      { durationMs: 64_000, pictureMs: null, container: 'matroska,webm' },
      { chunkFrames: 800, count: 4, head: [200, 200, 400] },
    ],
  ])('of %s', (_title, stated, plan) => {
    expect(planChunks(makeFacts(stated))).toEqual(plan)
  })
})

describe('the chunks of the other rungs', () => {
  const tenHours = planChunks(makeFacts({ durationMs: 36_000_000, frameRate: '30/1' }))
  const at = (width: number, height: number) => [
    { width: 426, height: 240 },
    { width, height },
  ]
  const sizes = fc.constantFrom(
    ...[240, 480, 720, 1080, 1440, 2160].map((side) => at((side * 16) / 9, side)),
  )

  it('hold at most as much picture as 32 s of 720p, and at least 12 s, unless the first rung has shorter ones', () => {
    fc.assert(
      fc.property(videos, chunkLengths, sizes, (video, seconds, rungs) => {
        const facts = makeFacts(video)
        const plan = planChunks(facts, seconds)
        const later = planLaterChunks(plan, facts, rungs)
        const unit = segmentFrames(video.frameRate)
        expect(later.chunkFrames % unit).toBe(0)
        expect(later.chunkFrames).toBeLessThanOrEqual(plan.chunkFrames)
        expect(later.count).toBeLessThanOrEqual(340)
        if (later.chunkFrames === plan.chunkFrames) {
          expect(later).toEqual(withoutHead(plan))
          return
        }
        expect(later.chunkFrames).toBeGreaterThanOrEqual(3 * unit)
        const { width = 0, height = 0 } = rungs.at(-1) ?? {}
        const most = (32 * 30 * 1280 * 720) / (width * height)
        const ofLength = framesOf(video) / 320 + unit
        expect(later.chunkFrames).toBeLessThanOrEqual(Math.max(most, 3 * unit, ofLength))
        const last = planChunk(later, video.frameRate, later.count - 1)
        expect(framesOf(video) - last.startFrame).toBeLessThanOrEqual(1.5 * later.chunkFrames)
      }),
    )
  })

  it.each([
    ['a minute of 720p', 60_000, at(1280, 720), { chunkFrames: 960, count: 2 }],
    ['a minute of 1080p', 60_000, at(1920, 1080), { chunkFrames: 360, count: 5 }],
    ['ten minutes of 2160p', 600_000, at(3840, 2160), { chunkFrames: 360, count: 50 }],
    ['an hour of 2160p', 3_600_000, at(3840, 2160), { chunkFrames: 360, count: 300 }],
    ['ten hours of 1080p', 36_000_000, at(1920, 1080), withoutHead(tenHours)],
    [
      '40 s of 1080p, which are encoded whole',
      40_000,
      at(1920, 1080),
      { chunkFrames: 960, count: 1 },
    ],
  ])('of %s', (_title, durationMs, rungs, expected) => {
    const facts = makeFacts({ durationMs, frameRate: '30/1' })
    expect(planLaterChunks(planChunks(facts), facts, rungs)).toEqual(expected)
  })
})

describe('a video is encoded whole', () => {
  it.each([
    ['if its duration is unknown', { durationMs: null }],
    ['if it is shorter than one and a half chunks', { durationMs: 30_000 }],
    ...['mpegts', 'mpeg', 'mpegvideo', 'h264', 'hevc', 'ivf', 'dv', 'gif'].map(
      (container): [string, Stated] => [
        `from a file of kind ${container}`,
        { durationMs: 600_000, container },
      ],
    ),
  ])('%s', (_title, stated) => {
    const plan = planChunks(makeFacts(stated))
    expect(plan.count).toBe(1)
    expect(planChunk(plan, '25/1', 0)).toEqual(WHOLE_VIDEO)
  })
})

describe('a chunk', () => {
  it('of another plan is refused', () => {
    const plan = { chunkFrames: 100, count: 2 }
    expect(planChunk(plan, '25/1', 1)).toEqual({
      index: 1,
      startFrame: 100,
      endFrame: null,
      firstSegment: 2,
    })
    expect(() => planChunk(plan, '25/1', 2)).toThrow(/has 2 chunks/)
    expect(() => planChunk(plan, '25/1', -1)).toThrow(/has 2 chunks/)
  })
})

describe('a segment', () => {
  it.each([
    ['25/1', 100, 4],
    ['30000/1001', 120, 4.004],
    ['24000/1001', 96, 4.004],
    ['60/1', 240, 4],
    ['1/1', 4, 4],
    ['1513/100', 60, 6000 / 1513],
  ])('at %s frames per second has %i frames', (frameRate, frames, seconds) => {
    expect(segmentFrames(frameRate)).toBe(frames)
    expect(segmentSeconds(frameRate)).toBeCloseTo(seconds, 12)
  })
})
