import type { ErrorCode } from '../error-codes.ts'
import { PICTURE_MAX_PIXELS, PICTURE_MIN_SIDE_PIXELS } from '../limits.ts'

/** The formats of pictures that a poster can be made from. */
export const PICTURE_FORMATS = ['jpeg', 'png', 'webp'] as const

export type PictureFormat = (typeof PICTURE_FORMATS)[number]

/** What the header of a picture claims. The decoder has the last word. */
export interface PictureFacts {
  format: PictureFormat
  width: number
  height: number
  isAnimated: boolean
}

/**
 * Reads the header of a JPEG, PNG or WebP file, whatever its name says. Returns null for any other file, SVG and GIF
 * included, and for a header that is cut off.
 */
export function readPicture(bytes: Uint8Array): PictureFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_MIN_BYTES) return null
  if (view.getUint16(0) === 0xffd8) return readJpeg(view)
  if (view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a) return readPng(view)
  if (tagAt(view, 0) === 'RIFF' && tagAt(view, 8) === 'WEBP') return readWebp(view)
  return null
}

/** Returns why a poster cannot be made from a picture; null if nothing in its header speaks against it. */
export function pictureFault(picture: PictureFacts | null): ErrorCode | null {
  if (!picture) return 'unsupported_picture'
  const { width, height, isAnimated } = picture
  if (isAnimated) return 'animated_picture'
  if (width * height > PICTURE_MAX_PIXELS) return 'picture_too_large'
  return Math.max(width, height) < PICTURE_MIN_SIDE_PIXELS ? 'picture_too_small' : null
}

/** The fixed part of the longest header, that of a WebP with one picture. */
const HEADER_MIN_BYTES = 30

const tagAt = (view: DataView, offset: number): string =>
  String.fromCodePoint(...[0, 1, 2, 3].map((index) => view.getUint8(offset + index)))

const still = (format: PictureFormat, width: number, height: number): PictureFacts | null =>
  width > 0 && height > 0 ? { format, width, height, isAnimated: false } : null

/** Finds the start of frame (ITU-T T.81, B.2.2), which has the size, before the first scan. */
function readJpeg(view: DataView): PictureFacts | null {
  let offset = 2
  while (offset + 9 <= view.byteLength && view.getUint8(offset) === 0xff) {
    const marker = view.getUint8(offset + 1)
    // Any number of 0xff may precede a marker.
    if (marker === 0xff) {
      offset += 1
      continue
    }
    if (isStartOfFrame(marker))
      return still('jpeg', view.getUint16(offset + 7), view.getUint16(offset + 5))
    if (marker === START_OF_SCAN) return null
    offset += 2 + view.getUint16(offset + 2)
  }
  return null
}

const START_OF_SCAN = 0xda
/** 0xc0 to 0xcf, without the three markers among them that start no frame. */
const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** The size is in the first chunk. A chunk `acTL` before the first `IDAT` makes an animation (PNG, third edition). */
function readPng(view: DataView): PictureFacts | null {
  if (tagAt(view, 12) !== 'IHDR') return null
  const picture = still('png', view.getUint32(16), view.getUint32(20))
  let offset = 8
  while (offset + 8 <= view.byteLength) {
    const tag = tagAt(view, offset + 4)
    if (tag === 'IDAT') return picture
    if (tag === 'acTL') return picture && { ...picture, isAnimated: true }
    offset += 12 + view.getUint32(offset)
  }
  return null
}

const ANIMATION_FLAG = 0x02

/** The first chunk has the size: `VP8X` that of the canvas, `VP8 ` and `VP8L` that of the only picture (RFC 9649). */
function readWebp(view: DataView): PictureFacts | null {
  const uint24 = (offset: number) =>
    view.getUint16(offset, true) + (view.getUint8(offset + 2) << 16)
  switch (tagAt(view, 12)) {
    case 'VP8 ':
      return still('webp', view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return still('webp', (bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1)
    }
    case 'VP8X': {
      const picture = still('webp', uint24(24) + 1, uint24(27) + 1)
      const isAnimated = (view.getUint8(20) & ANIMATION_FLAG) !== 0
      return picture && { ...picture, isAnimated }
    }
    default:
      return null
  }
}
