import { PIECE_BYTES } from '../../domain/ingest/source-tail.ts'
import {
  encryptedLayoutOf,
  encryptedRangeOf,
  isEncryptedSource,
  layoutOf,
  openPiece,
  pieceSizeOf,
  SOURCE_START_BYTES,
  SourceCipherError,
  sourceIdOf,
  type SourceKeyOf,
  type SourceLayout,
} from './encrypted-source.ts'

/** Reads bytes of a stored object, both ends included, and returns the size of the whole object with them. */
export type ReadStored = (range: {
  startByte: number
  endByte: number
}) => Promise<{ body: Buffer; sizeBytes: number }>

/** A stored source that can be read in pieces. */
export interface StoredSource {
  /** Names what one attempt has stored; null for a source that is not encrypted. */
  id: string | null
  layout: SourceLayout
  /** Returns piece `index` (from 0), decrypted. Throws a SourceCipherError if it was altered. */
  readPiece(index: number): Promise<Buffer>
  /** The same in two steps, for who keeps pieces as they are stored; null for a source that is not encrypted. */
  sealed: SealedPieces | null
}

/** The pieces of an encrypted source as they are stored. */
export interface SealedPieces {
  /** What opens them. */
  of: SourceKeyOf
  read(index: number): Promise<Buffer>
  /** Decrypts a piece. Throws a SourceCipherError if it is another one, or was altered. */
  open(index: number, sealed: Buffer): Buffer
}

/**
 * Opens a stored source by its header. Without a key only a source that is not encrypted can be opened: it was stored
 * before ADR 0032. With a key only an encrypted one can, so that none can be put in its place. Throws a
 * SourceCipherError otherwise, and what `read` throws.
 */
export async function openStoredSource(
  read: ReadStored,
  of: SourceKeyOf | null,
): Promise<StoredSource> {
  const start = await read({ startByte: 0, endByte: SOURCE_START_BYTES - 1 })
  const isEncrypted = isEncryptedSource(start.body)
  if (isEncrypted && of === null)
    throw new SourceCipherError('the stored source is encrypted, and its key is deleted')
  if (!isEncrypted && of !== null) throw new SourceCipherError('the stored source is not encrypted')
  return of === null ? plainSource(read, start.sizeBytes) : encryptedSource(read, start, of)
}

/** All pieces of a source in their order, decrypted. */
export async function* piecesOf(source: StoredSource): AsyncGenerator<Buffer> {
  for (let index = 0; index < source.layout.pieces; index += 1) yield await source.readPiece(index)
}

function encryptedSource(
  read: ReadStored,
  start: { body: Buffer; sizeBytes: number },
  of: SourceKeyOf,
): StoredSource {
  const layout = encryptedLayoutOf(start.sizeBytes)
  const sealed: SealedPieces = {
    of,
    read: async (index) => (await read(encryptedRangeOf(layout, index))).body,
    open: (index, body) => openPiece(of, layout, index, body),
  }
  return {
    id: sourceIdOf(start.body),
    layout,
    readPiece: async (index) => sealed.open(index, await sealed.read(index)),
    sealed,
  }
}

function plainSource(read: ReadStored, sizeBytes: number): StoredSource {
  const layout = layoutOf(sizeBytes)
  return {
    id: null,
    layout,
    sealed: null,
    async readPiece(index) {
      const startByte = index * PIECE_BYTES
      const size = pieceSizeOf(layout, index)
      const { body } = await read({ startByte, endByte: startByte + size - 1 })
      if (body.length !== size) throw new SourceCipherError('the stored source was cut off')
      return body
    },
  }
}
