import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { PIECE_BYTES } from '../../domain/ingest/source-tail.ts'

/**
 * The form of a stored source (ADR 0032): a header, then pieces of one mebibyte, each encrypted for itself,
 * so that any range can be read. A piece is its nonce, its bytes and its tag (AES-256-GCM). Only the last piece may be
 * shorter; an empty file has one empty piece. The associated data of a piece is its video, its number and
 * whether it is the last: pieces that are altered, moved, cut off or taken from another video do not open. A copy of the
 * picture has the same form, and names its source besides.
 */
const HEADER = Buffer.from('reelgate-source\u0001', 'latin1')
const NONCE_BYTES = 12
const TAG_BYTES = 16
const OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES

/** How many bytes of a stored file `isEncryptedSource` and `sourceIdOf` need. */
export const SOURCE_START_BYTES = HEADER.length + NONCE_BYTES

/** Names what one attempt stores of a source: 24 hex characters, the nonce of its first piece. */
export const newSourceId = (): string => randomBytes(NONCE_BYTES).toString('hex')

export const newSourceKey = (): Buffer => randomBytes(32)

/** The key of a source and the video that its pieces are bound to. */
export interface SourceKeyOf {
  videoId: string
  key: Buffer
  /** Of a copy of the picture: the id of the source that it was made of (ADR 0046). Neither opens in the place of the other. */
  copyOf?: string
}

/** What opens the pieces of a source. In another thread, the key is no Buffer any more. */
export type PieceOpener = Omit<SourceKeyOf, 'key'> & { key: Uint8Array }

/** A stored source was altered, or belongs to another video or key. The message never contains a key. */
export class SourceCipherError extends Error {
  override name = 'SourceCipherError'
}

/** Returns whether a stored file with these first bytes is encrypted. */
export const isEncryptedSource = (start: Buffer): boolean =>
  start.subarray(0, HEADER.length).equals(HEADER)

/** Returns the id of an encrypted file with these first bytes. */
export const sourceIdOf = (start: Buffer): string =>
  start.subarray(HEADER.length, SOURCE_START_BYTES).toString('hex')

/** The pieces of a source. `storedBytes` is its size in storage, `sizeBytes` that of the file itself. */
export interface SourceLayout {
  sizeBytes: number
  pieces: number
}

/** The layout of a file of `sizeBytes`. */
export const layoutOf = (sizeBytes: number): SourceLayout => ({
  sizeBytes,
  pieces: Math.max(1, Math.ceil(sizeBytes / PIECE_BYTES)),
})

/** The layout of an encrypted source of `storedBytes`. Throws a SourceCipherError for an impossible size. */
export function encryptedLayoutOf(storedBytes: number): SourceLayout {
  const body = storedBytes - HEADER.length
  const layout = layoutOf(body - OVERHEAD_BYTES * Math.ceil(body / (PIECE_BYTES + OVERHEAD_BYTES)))
  if (encryptedSizeOf(layout) !== storedBytes)
    throw new SourceCipherError('the stored source has an impossible size: it was cut off')
  return layout
}

/** The size in storage of an encrypted source. */
export const encryptedSizeOf = ({ sizeBytes, pieces }: SourceLayout): number =>
  HEADER.length + sizeBytes + OVERHEAD_BYTES * pieces

/** The size of piece `index` (from 0). */
export const pieceSizeOf = ({ sizeBytes, pieces }: SourceLayout, index: number): number =>
  index < pieces - 1 ? PIECE_BYTES : sizeBytes - index * PIECE_BYTES

/** Where an encrypted piece is stored; both ends included. */
export function encryptedRangeOf(
  layout: SourceLayout,
  index: number,
): { startByte: number; endByte: number } {
  const startByte = HEADER.length + index * (PIECE_BYTES + OVERHEAD_BYTES)
  return { startByte, endByte: startByte + OVERHEAD_BYTES + pieceSizeOf(layout, index) - 1 }
}

/** A whole piece as one output buffer is a new memory mapping each time, which takes longer than the encryption. */
const SLICE_BYTES = 128 << 10

/** Encrypts bytes that belong in one place: the nonce, the bytes and the tag. */
function sealAt({ key }: SourceKeyOf, place: Buffer, bytes: Buffer, nonce: Buffer): Buffer[] {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(place)
  const encrypted: Buffer[] = []
  for (let at = 0; at < bytes.length; at += SLICE_BYTES)
    encrypted.push(cipher.update(bytes.subarray(at, at + SLICE_BYTES)))
  cipher.final()
  return [nonce, ...encrypted, cipher.getAuthTag()]
}

/** Decrypts what `sealAt` has encrypted for this place. Returns null if it does not open. */
function openAt({ key }: PieceOpener, place: Buffer, stored: Buffer): Buffer | null {
  if (stored.length < OVERHEAD_BYTES) return null
  const nonce = stored.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(place)
  decipher.setAuthTag(stored.subarray(-TAG_BYTES))
  try {
    const bytes = decipher.update(stored.subarray(NONCE_BYTES, -TAG_BYTES))
    decipher.final()
    return bytes
  } catch {
    return null
  }
}

/** Encrypts the first bytes of piece `index` of a source that has not arrived whole: they are no piece of it. */
export const sealBegunPiece = (of: SourceKeyOf, index: number, bytes: Buffer): Buffer[] =>
  sealAt(of, placeOf(of, index, 'begun'), bytes, randomBytes(NONCE_BYTES))

/** Decrypts the first bytes of piece `index`. Throws a SourceCipherError if they are not those of this video. */
export function openBegunPiece(of: SourceKeyOf, index: number, stored: Buffer): Buffer {
  const bytes = openAt(of, placeOf(of, index, 'begun'), stored)
  if (!bytes) throw doesNotOpen(index)
  return bytes
}

/** Allocates the memory of one piece. */
export const newPieceMemory = (): Buffer => Buffer.allocUnsafeSlow(PIECE_BYTES)

/** Encrypts a source that comes in several turns, maybe of several processes. */
export interface SourceSealer {
  /** The bytes of the file whose pieces are sealed. */
  sealedBytes(): number
  /** Those that were added and are not sealed. */
  heldBytes(): number
  /** The bytes that were added and are not sealed; until the next call of `add` or `end`. */
  held(): Buffer
  /**
   * Yields the pieces that are whole, each as its nonce, its bytes and its tag. One that may be the last is held back until a further byte
   * shows that it is not. The chunk may be changed afterwards.
   */
  add(chunk: Buffer): Generator<Buffer[]>
  /** Returns the last piece. */
  end(): Buffer[]
}

/** What precedes the first piece. */
export const SOURCE_HEADER = HEADER

/**
 * Continues the encryption of a file after its first `sealedBytes`, which are whole pieces; more bytes must follow. `id` is
 * the nonce of the first piece. One who seals that piece must use a new one: the bytes may be others than the last time.
 * `sizeBytes` is that of the file; null if it is not known. `piece` is the memory that it uses for one.
 */
export function createSourceSealer(
  of: SourceKeyOf,
  sealedBytes: number,
  id: string,
  {
    sizeBytes = null,
    piece = newPieceMemory(),
  }: { sizeBytes?: number | null; piece?: Buffer } = {},
): SourceSealer {
  let index = sealedBytes / PIECE_BYTES
  if (!Number.isInteger(index)) throw new Error('a source is continued between two pieces')
  let filled = 0
  const seal = (isLast: boolean): Buffer[] => {
    // The others are random, because each attempt to store a source encrypts it again under the same key.
    const nonce = index === 0 ? Buffer.from(id, 'hex') : randomBytes(NONCE_BYTES)
    const place = placeOf(of, index, isLast ? 'last' : 'more')
    const sealed = sealAt(of, place, piece.subarray(0, filled), nonce)
    index += 1
    filled = 0
    return sealed
  }
  return {
    sealedBytes: () => index * PIECE_BYTES,
    heldBytes: () => filled,
    held: () => piece.subarray(0, filled),
    *add(chunk) {
      for (let offset = 0; offset < chunk.length;) {
        if (filled === PIECE_BYTES) yield seal(false)
        const copied = chunk.copy(piece, filled, offset)
        filled += copied
        offset += copied
        const isBeforeLast = sizeBytes !== null && (index + 1) * PIECE_BYTES < sizeBytes
        if (isBeforeLast && filled === PIECE_BYTES) yield seal(false)
      }
    },
    end() {
      if (filled === 0 && index > 0) throw new Error('a source cannot end before its last piece')
      return seal(true)
    },
  }
}

/** Decrypts piece `index` (from 0). Throws a SourceCipherError if it is not that piece of this video. */
export function openPiece(
  of: PieceOpener,
  { pieces }: SourceLayout,
  index: number,
  stored: Buffer,
): Buffer {
  const piece = openAt(of, placeOf(of, index, index === pieces - 1 ? 'last' : 'more'), stored)
  if (!piece) throw doesNotOpen(index)
  return piece
}

const doesNotOpen = (index: number): SourceCipherError =>
  new SourceCipherError(
    `piece ${index} of the stored source does not open: it was altered or belongs elsewhere`,
  )

/** The associated data of a piece. Its text is part of every stored source: it never changes. */
function placeOf(
  { videoId, copyOf }: PieceOpener,
  index: number,
  kind: 'more' | 'last' | 'begun',
): Buffer {
  const copy = copyOf === undefined ? '' : `:copy of ${copyOf}`
  return Buffer.from(`${HEADER.toString('latin1')}:${videoId}:${index}:${kind}${copy}`)
}
