import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mostPixels } from './fit-quality.ts'

const SHORT_SIDES = [240, 360, 480, 720, 1080]
const even = (pixels: number): number => Math.round(pixels / 2) * 2
const landscape = SHORT_SIDES.map((height) => ({ width: even((height * 16) / 9), height }))
const portrait = landscape.map(({ width, height }) => ({ width: height, height: width }))
const pixelsOf = (shortSide: number): number => even((shortSide * 16) / 9) * shortSide

describe('the pixel limit of automatic quality', () => {
  it.each([
    [640, 360, 360],
    [641, 360, 360],
    [700, 394, 480],
    [1280, 720, 720],
    [360, 640, 240],
    [1, 1, 240],
  ])('of a landscape video in %i × %i is that of %ip', (width, height, shortSide) => {
    expect(mostPixels(landscape, { width, height })).toBe(pixelsOf(shortSide))
  })

  it('is infinite if the frame is larger than every rung', () => {
    expect(mostPixels(landscape, { width: 3840, height: 2160 })).toBe(Infinity)
    expect(mostPixels([], { width: 640, height: 360 })).toBe(Infinity)
    expect(mostPixels([{ width: null, height: null }], { width: 1, height: 1 })).toBe(Infinity)
  })

  it('is the same for a vertical video in a rotated frame', () => {
    const side = fc.integer({ min: 1, max: 4000 })
    fc.assert(
      fc.property(side, side, (width, height) => {
        expect(mostPixels(portrait, { width: height, height: width })).toBe(
          mostPixels(landscape, { width, height }),
        )
      }),
    )
  })
})
