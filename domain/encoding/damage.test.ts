import { describe, expect, it } from 'vitest'
import type { SourceFacts, SourcePicture } from '../ingest/source-facts.ts'
import type { EncodedChunk } from './chunks.ts'
import { audioDamagedPercent, damagedPercent, isTooDamaged } from './damage.ts'

const picture: SourcePicture = {
  index: 0,
  codec: 'h264',
  width: 128,
  height: 72,
  displayWidth: 128,
  displayHeight: 72,
  rotation: 0,
  frameRate: '25/1',
  durationMs: 6_000,
  interlaced: false,
  hdr: null,
  isConstantRate: true,
}
const whole: EncodedChunk = { frames: 150, framesDecoded: 150 }
const film = (video: Partial<SourcePicture> = {}, container = 'matroska,webm'): SourceFacts => ({
  container,
  durationMs: 6_000,
  video: { ...picture, ...video },
  audio: [],
})

// The numbers are those of ffmpeg 5.1 for a video of 150 frames.
describe('a damaged source', () => {
  it.each<[string, number, Partial<EncodedChunk>, Partial<SourcePicture>]>([
    ['the packets that its decoder refused', 34, { framesDecoded: 100, framesUndecodable: 51 }, {}],
    ['the frames that its decoder has in part', 2, { framesPartial: 3 }, {}],
    [
      'one frame for two fields that are refused',
      20,
      { framesDecoded: 120, framesUndecodable: 60 },
      { interlaced: true },
    ],
    ['the frames behind its early end', 10, { frames: 135, framesDecoded: 135, isCut: true }, {}],
    [
      'the frames that are held where bytes were skipped',
      33,
      { framesDecoded: 100, hasSkipped: true },
      {},
    ],
  ])('has lost %s', (_title, percent, chunk, video) => {
    expect(damagedPercent(film(video), [{ ...whole, ...chunk }])).toBe(percent)
  })

  it('in AVI has lost the frames by which it became shorter', () => {
    const chunk = { frames: 93, framesDecoded: 93, framesPartial: 1 }
    expect(damagedPercent(film({ statedFrames: 150, durationMs: 4_000 }, 'avi'), [chunk])).toBe(39)
  })

  it('in a transport stream has lost the frames around one that it has in part', () => {
    const chunk = { ...whole, framesDecoded: 100, framesPartial: 1 }
    expect(damagedPercent(film({}, 'mpegts'), [chunk])).toBe(34)
    expect(damagedPercent(film(), [chunk])).toBe(1)
  })

  it('has lost what all of its chunks have lost', () => {
    const damaged = { ...whole, framesDecoded: 100, framesUndecodable: 50 }
    const twice = film({ durationMs: 12_000 })
    expect(damagedPercent(twice, [damaged, whole])).toBe(17)
    expect(damagedPercent(twice, [whole, { ...whole, frames: 120, isCut: true }])).toBe(10)
  })

  it('fails below four fifths of decodable frames', () => {
    expect([20, 21].map(isTooDamaged)).toEqual([false, true])
  })
})

describe('a whole source', () => {
  it.each<[string, Partial<EncodedChunk>, Partial<SourcePicture>]>([
    [
      'a variable rate beside skipped bytes',
      { framesDecoded: 30, hasSkipped: true },
      { isConstantRate: false },
    ],
    ['frames that are shown for longer', { framesDecoded: 30 }, {}],
    ['an edit list that ends early', { frames: 62, framesDecoded: 62 }, { statedFrames: 150 }],
    ['a frame that is rounded to its place', { framesDecoded: 149, hasSkipped: true }, {}],
    ['a late start on its clock', {}, { durationMs: 106_000 }],
    ['a chunk of an older worker', { framesDecoded: 20 }, {}],
  ])('has lost nothing by %s', (_title, chunk, video) => {
    expect(damagedPercent(film(video), [{ ...whole, ...chunk }])).toBe(0)
  })
})

describe('audio', () => {
  const audio = {
    packetsRead: 100,
    packetsUndecodable: 0,
    decodedMs: 10_000,
    isInterrupted: false,
  }

  it.each([
    ['nothing', 0, {}],
    ['nothing if it is shorter than the picture', 0, { decodedMs: 4_000 }],
    ['the packets that its decoder refused', 7, { packetsUndecodable: 7 }],
    ['what is missing where bytes are', 40, { decodedMs: 6_000, isInterrupted: true }],
    ['nothing where streams are joined', 0, { decodedMs: 9_900, isInterrupted: true }],
  ])('has lost %s', (_title, percent, change) => {
    expect(audioDamagedPercent(10_000, { ...audio, ...change })).toBe(percent)
  })
})
