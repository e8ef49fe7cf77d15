import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oembedResponse, playerSize } from './oembed-response.ts'

const wide = { width: 1920, height: 1080 }
const tall = { width: 1080, height: 1920 }
const free = { maxWidth: null, maxHeight: null }

describe('the size of a player', () => {
  it('has the shape of the video and is the largest within the limits', () => {
    expect(playerSize(wide, { maxWidth: 800, maxHeight: null })).toEqual({
      width: 800,
      height: 450,
    })
    expect(playerSize(wide, { maxWidth: 800, maxHeight: 225 })).toEqual({ width: 400, height: 225 })
    expect(playerSize(tall, { maxWidth: null, maxHeight: 960 })).toEqual({
      width: 540,
      height: 960,
    })
  })

  it('is 640 pixels at its longest side without a limit, and 16:9 without a known shape', () => {
    expect(playerSize(wide, free)).toEqual({ width: 640, height: 360 })
    expect(playerSize(tall, free)).toEqual({ width: 360, height: 640 })
    expect(playerSize(null, free)).toEqual({ width: 640, height: 360 })
  })

  it('never exceeds a limit and never vanishes', () => {
    const pixels = fc.integer({ min: 1, max: 99_999 })
    const limits = fc.record({ maxWidth: fc.option(pixels), maxHeight: fc.option(pixels) })
    fc.assert(
      fc.property(fc.record({ width: pixels, height: pixels }), limits, (video, limit) => {
        const { width, height } = playerSize(video, limit)
        expect(width).toBeGreaterThanOrEqual(1)
        expect(height).toBeGreaterThanOrEqual(1)
        expect(width).toBeLessThanOrEqual(limit.maxWidth ?? Infinity)
        expect(height).toBeLessThanOrEqual(limit.maxHeight ?? Infinity)
      }),
    )
  })
})

describe('the iframe of a response', () => {
  it('cannot be left by a title or an address', () => {
    const base = { size: wide, thumbnail: null, providerUrl: 'https://play.example' }
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.webUrl({ withQueryParameters: true }),
        (title, src) => {
          const { html } = oembedResponse({ ...base, title, src })
          expect(html).toMatch(
            /^<iframe src="[^"<>]*" title="[^"<>]+" width="1920" height="1080" allow="[^"<>]*" allowfullscreen referrerpolicy="[^"<>]*" style="[^"<>]*"><\/iframe>$/,
          )
        },
      ),
    )
  })
})
