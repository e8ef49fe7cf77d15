import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makePng } from '../../test/fixtures/pictures.ts'
import { pictureFault, readPicture } from './picture.ts'

const webp = (tag: string, ...rest: number[]): Buffer =>
  Buffer.concat([
    Buffer.from(`RIFF\0\0\0\0WEBP${tag}\0\0\0\0`, 'latin1'),
    Buffer.from(rest),
    Buffer.alloc(20),
  ])

/** A JPEG with a comment before its start of frame. */
const jpeg = (...frame: number[]): Buffer =>
  Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xfe,
    0,
    4,
    1,
    2,
    0xff,
    ...frame,
    ...Array.from({ length: 20 }, () => 0),
  ])

describe('the header of a picture', () => {
  it.each([
    ['a JPEG', jpeg(0xc0, 0, 11, 8, 0x02, 0xd0, 0x05, 0), 'jpeg', 1280, 720],
    ['a progressive JPEG', jpeg(0xff, 0xc2, 0, 11, 8, 0x02, 0xd0, 0x05, 0), 'jpeg', 1280, 720],
    ['a PNG', makePng({ width: 400, height: 300 }), 'png', 400, 300],
    ['a WebP', webp('VP8 ', 0, 0, 0, 0x9d, 1, 0x2a, 0x00, 0x05, 0xd0, 0x02), 'webp', 1280, 720],
    ['a lossless WebP', webp('VP8L', 0x2f, 0xff, 0xc4, 0xb3, 0), 'webp', 1280, 720],
    ['a WebP with alpha', webp('VP8X', 16, 0, 0, 0, 0xff, 4, 0, 0xcf, 2, 0), 'webp', 1280, 720],
  ])('of %s has its format and its size', (_name, bytes, format, width, height) => {
    expect(readPicture(bytes)).toEqual({ format, width, height, isAnimated: false })
    expect(pictureFault(readPicture(bytes))).toBeNull()
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"/>')],
    ['a GIF', Buffer.from(`GIF89a${'\0'.repeat(40)}`, 'latin1')],
    ['a TIFF', Buffer.from(`MM\0*${'\0'.repeat(40)}`, 'latin1')],
    ['another RIFF file', Buffer.from(`RIFF\0\0\0\0WAVEfmt ${'\0'.repeat(40)}`, 'latin1')],
    ['a PNG that begins with another chunk', Buffer.from(makePng()).fill('IDAT', 12, 16)],
    ['a PNG without pixels', makePng().subarray(0, 33)],
    ['a PNG of no size', makePng({ claimed: { width: 0, height: 300 } })],
    ['a JPEG whose scan comes first', jpeg(0xda, 0, 11, 8, 0x02, 0xd0, 0x05, 0)],
    ['a JPEG of no size', jpeg(0xc0, 0, 11, 8, 0, 0, 0, 0)],
  ])('of %s is refused', (_name, bytes) => {
    expect(readPicture(bytes)).toBeNull()
    expect(pictureFault(readPicture(bytes))).toBe('unsupported_picture')
  })

  it('names an animation, a size beyond 50 million pixels and one that is too small', () => {
    const faultOf = (bytes: Uint8Array) => pictureFault(readPicture(bytes))
    expect(faultOf(makePng({ isAnimated: true }))).toBe('animated_picture')
    expect(faultOf(webp('VP8X', 2, 0, 0, 0, 0xff, 4, 0, 0xcf, 2, 0))).toBe('animated_picture')
    const claim = (width: number, height: number) =>
      faultOf(makePng({ claimed: { width, height } }))
    expect(claim(50_000, 1_000)).toBeNull()
    expect(claim(50_001, 1_000)).toBe('picture_too_large')
    expect(claim(0xffff_ffff, 0xffff_ffff)).toBe('picture_too_large')
    expect(claim(319, 319)).toBe('picture_too_small')
    expect(claim(1, 320)).toBeNull()
  })

  it('can be of any bytes: reading ends, and never throws', () => {
    const starts = [jpeg(), makePng().subarray(0, 33), webp('VP8X'), webp('VP8 '), Buffer.alloc(0)]
    const bytes = fc.tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }))
    fc.assert(
      fc.property(bytes, ([start, rest]) => {
        readPicture(Buffer.concat([start, rest]))
      }),
    )
  })
})
