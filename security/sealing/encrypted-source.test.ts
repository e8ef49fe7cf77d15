import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PIECE_BYTES } from '../../domain/ingest/source-tail.ts'
import {
  createSourceSealer,
  encryptedLayoutOf,
  encryptedRangeOf,
  encryptedSizeOf,
  isEncryptedSource,
  layoutOf,
  newSourceId,
  newSourceKey,
  openPiece,
  pieceSizeOf,
  SOURCE_HEADER,
  type SourceKeyOf,
} from './encrypted-source.ts'

const of: SourceKeyOf = { videoId: 'aaaaaaaaaaaaaaaaaaaa', key: newSourceKey() }
const OTHER: SourceKeyOf = { ...of, videoId: 'bbbbbbbbbbbbbbbbbbbb' }

/** Encrypts bytes that arrive in chunks of `chunkBytes`. */
function encrypted(plain: Buffer, chunkBytes = 70_001, from = of, isSizeKnown = false): Buffer {
  const sealer = createSourceSealer(from, 0, newSourceId(), {
    sizeBytes: isSizeKnown ? plain.length : null,
  })
  const sealed: Buffer[] = [SOURCE_HEADER]
  for (let at = 0; at < plain.length; at += chunkBytes)
    sealed.push(...[...sealer.add(plain.subarray(at, at + chunkBytes))].flat())
  return Buffer.concat([...sealed, ...sealer.end()])
}

/** Decrypts every piece. */
function decrypted(stored: Buffer, from = of): Buffer {
  const layout = encryptedLayoutOf(stored.length)
  return Buffer.concat(
    Array.from({ length: layout.pieces }, (_, index) =>
      openPiece(from, layout, index, pieceOf(stored, index)),
    ),
  )
}

function pieceOf(stored: Buffer, index: number): Buffer {
  const { startByte, endByte } = encryptedRangeOf(encryptedLayoutOf(stored.length), index)
  return stored.subarray(startByte, endByte + 1)
}

const REFUSED = { name: 'SourceCipherError' }

describe('an encrypted source', () => {
  it('is the same after a round trip, for every size around the borders of pieces, known or not, and any chunks', () => {
    const sizes = fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -30, max: 30 }))
      .map(([pieces, more]) => Math.max(0, pieces * PIECE_BYTES + more))
    fc.assert(
      fc.property(
        sizes,
        fc.integer({ min: 50_000, max: 2e6 }),
        fc.boolean(),
        (size, chunk, isKnown) => {
          const plain = randomBytes(size)
          const stored = encrypted(plain, chunk, of, isKnown)
          const layout = encryptedLayoutOf(stored.length)
          expect(layout).toEqual(layoutOf(size))
          expect(encryptedSizeOf(layout)).toBe(stored.length)
          expect(isEncryptedSource(stored)).toBe(true)
          const sizesOfPieces = Array.from({ length: layout.pieces }, (_, i) =>
            pieceSizeOf(layout, i),
          )
          expect(sizesOfPieces.reduce((sum, one) => sum + one, 0)).toBe(size)
          expect(decrypted(stored).equals(plain)).toBe(true)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('refuses an altered byte anywhere: nonce, content and tag', () => {
    const stored = encrypted(randomBytes(PIECE_BYTES + 100))
    for (const index of [0, 1]) {
      const { startByte, endByte } = encryptedRangeOf(encryptedLayoutOf(stored.length), index)
      for (const at of [startByte, startByte + 12, startByte + 50, endByte - 16, endByte]) {
        const altered = Buffer.from(stored)
        altered[at] = (altered[at] ?? 0) ^ 1
        expect(() => decrypted(altered)).toThrow(expect.objectContaining(REFUSED))
      }
    }
  })

  it('refuses pieces in another order, cut off, appended, or of another video', () => {
    const stored = encrypted(randomBytes(3 * PIECE_BYTES))
    const layout = encryptedLayoutOf(stored.length)
    const [first, second, third] = [0, 1, 2].map((index) => pieceOf(stored, index))
    if (!first || !second || !third) throw new Error('there are three pieces')
    const header = stored.subarray(0, encryptedRangeOf(layout, 0).startByte)
    const wrong = [
      Buffer.concat([header, second, first, third]),
      Buffer.concat([header, first, second]),
      Buffer.concat([header, first, third]),
      Buffer.concat([stored, third]),
      stored.subarray(0, -1),
      header,
      Buffer.concat([header, pieceOf(encrypted(randomBytes(3e6), 1e6, OTHER), 0), second, third]),
    ]
    for (const one of wrong) expect(() => decrypted(one)).toThrow(expect.objectContaining(REFUSED))
    expect(() => decrypted(stored, OTHER)).toThrow(expect.objectContaining(REFUSED))
    expect(() => decrypted(stored, { ...of, key: newSourceKey() })).toThrow(
      expect.objectContaining(REFUSED),
    )
    expect(decrypted(stored)).toHaveLength(3 * PIECE_BYTES)
  })

  it('does not open as a copy of its picture, nor a copy as the source or as that of another source', async () => {
    const copyOf = (sourceId: string): SourceKeyOf => ({ ...of, copyOf: sourceId })
    const [source, copy] = [encrypted(randomBytes(10)), encrypted(randomBytes(10), 10, copyOf('a'))]
    const refused = expect.objectContaining(REFUSED)
    expect(() => decrypted(source, copyOf('a'))).toThrow(refused)
    expect(() => decrypted(copy)).toThrow(refused)
    expect(() => decrypted(copy, copyOf('b'))).toThrow(refused)
    expect(decrypted(copy, copyOf('a'))).toHaveLength(10)
  })

  it('refuses a piece that is shorter than its nonce and tag', () => {
    expect(() => openPiece(of, layoutOf(10), 0, Buffer.alloc(27))).toThrow(
      expect.objectContaining(REFUSED),
    )
  })

  it('never repeats a nonce or a stored byte run when it is encrypted again, and names no key in an error', () => {
    const plain = randomBytes(1_000)
    const [one, other] = [encrypted(plain), encrypted(plain)]
    expect(pieceOf(one, 0).subarray(0, 12)).not.toEqual(pieceOf(other, 0).subarray(0, 12))
    expect(pieceOf(one, 0).subarray(12, 76)).not.toEqual(pieceOf(other, 0).subarray(12, 76))
    for (const form of ['hex', 'base64', 'base64url'] as const)
      expect(() => decrypted(one, OTHER)).not.toThrow(of.key.toString(form))
  })
})
