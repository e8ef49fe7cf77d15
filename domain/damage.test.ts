import { describe, expect, it } from '@jest/globals'
import { damagedPercent, isTooDamaged } from './damage.ts'
import type { DecodingAccount } from './damage.ts'
import type { SourceFacts, SourcePicture } from './source-facts.ts'

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
  statedFrames: null,
  isConstantRate: true,
}
const whole: DecodingAccount = {
  frames: 150,
  packetsRead: 150,
  framesDecoded: 150,
  framesDamaged: 0,
  isDamaged: false,
  isCut: false,
}
const percent = (account: Partial<DecodingAccount>, video: Partial<SourcePicture> = {}): number => {
  const facts: SourceFacts = {
    container: 'matroska,webm',
    durationMs: 6_000,
    video: { ...picture, ...video },
    audio: [],
  }
  return damagedPercent(facts, { ...whole, ...account })
}

// The numbers are those of ffmpeg 5.1 for a film of 150 frames.
describe('a damaged source', () => {
  it('has lost the packets that its decoder refused', () => {
    expect(percent({ framesDecoded: 100, framesDamaged: 51 }, { statedFrames: 150 })).toBe(34)
  })

  it('has lost the frames that its index lists and the file lacks', () => {
    const cut = { frames: 135, packetsRead: 135, framesDecoded: 135, isCut: true }
    expect(percent(cut, { statedFrames: 150 })).toBe(10)
    expect(percent(cut)).toBe(10)
  })

  it('has lost the frames that are held where bytes were skipped', () => {
    expect(percent({ packetsRead: 100, framesDecoded: 100, isDamaged: true })).toBe(34)
  })

  it('fails below four fifths of decodable frames', () => {
    expect([20, 21].map(isTooDamaged)).toEqual([false, true])
  })

  it('without any frame is damaged as a whole', () => {
    expect(percent({ frames: 0, packetsRead: 0, framesDecoded: 0 }, { statedFrames: 0 })).toBe(100)
  })
})

describe('a whole source', () => {
  it.each<[string, Partial<DecodingAccount>, Partial<SourcePicture>]>([
    ['a variable rate', { packetsRead: 30, framesDecoded: 30 }, { isConstantRate: false }],
    ['an edit list', { frames: 62, framesDecoded: 62 }, { statedFrames: 150, durationMs: 2_500 }],
    ['two fields in two packets', { packetsRead: 300 }, { interlaced: true }],
    ['a late start on its clock', {}, { durationMs: 106_000 }],
    ['frames that are never shown', { packetsRead: 160 }, {}],
  ])('has lost nothing by %s', (_title, account, video) => {
    expect(percent(account, video)).toBe(0)
  })
})
