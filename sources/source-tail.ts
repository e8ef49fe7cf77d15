import { randomBytes } from 'node:crypto'
import { recordTail } from '../commands/ingest/write-source.ts'
import type { SourceWrite } from '../db/ingest/source-writes.ts'
import type { WriterOf } from '../db/ingest/write-source-parts.ts'
import { PIECE_BYTES, type SourceTail } from '../domain/ingest/source-tail.ts'
import { tailKey, tailPrefix } from '../domain/videos/media-paths.ts'
import {
  openBegunPiece,
  sealBegunPiece,
  SourceCipherError,
  type SourceKeyOf,
} from '../security/sealing/encrypted-source.ts'
import type { SourceDeps } from './source-parts.ts'

const TYPE = 'application/octet-stream'
const NAME_BYTES = 8

/** What a writer has of a source behind its last recorded part. */
export interface TailBytes {
  /** Encrypted, and continues the parts. */
  sealed: Buffer
  /** How many pieces end in `sealed`. */
  pieces: number
  /** The bytes of the file behind them. */
  begun: Buffer
}

/** How many bytes of the file a tail has. */
export const tailLength = ({ pieces, begunBytes }: SourceTail): number =>
  pieces * PIECE_BYTES + begunBytes

/** Where the piece that a tail has begun stands in the file. */
const indexOf = ({ offsetBytes }: Pick<SourceWrite, 'offsetBytes'>, pieces: number): number =>
  offsetBytes / PIECE_BYTES + pieces

/**
 * Stores what no part has yet, and records it, so that every writer continues behind it. Removes the object of the tail before.
 * Throws a SourceWriteLostError if `by` is no longer the writer.
 */
export async function storeTail(
  { db, storage }: SourceDeps,
  of: SourceKeyOf,
  by: WriterOf,
  row: Pick<SourceWrite, 'offsetBytes' | 'sourceId' | 'tail'>,
  { sealed, pieces, begun }: TailBytes,
): Promise<SourceTail> {
  const name = randomBytes(NAME_BYTES).toString('hex')
  const body = Buffer.concat([sealed, ...sealBegunPiece(of, indexOf(row, pieces), begun)])
  await storage.putBuffer(tailKey(by.videoId, name), body, TYPE)
  const tail = { name, sealedBytes: sealed.length, pieces, begunBytes: begun.length }
  await recordTail(db.em.fork(), by, { tail, sourceId: row.sourceId })
  if (row.tail) await removeTail({ storage }, by.videoId, row.tail)
  return tail
}

/** Reads a recorded tail. Throws an ObjectNotFoundError, or a SourceCipherError if it is not that of this source. */
export async function readTail(
  { storage }: Pick<SourceDeps, 'storage'>,
  of: SourceKeyOf,
  row: Pick<SourceWrite, 'offsetBytes'>,
  { name, sealedBytes, pieces }: SourceTail,
): Promise<TailBytes> {
  const key = tailKey(of.videoId, name)
  const stored = await storage.read(key, TAIL_MAX_BYTES)
  if (!stored?.body) throw new SourceCipherError('the stored end of the source is gone')
  const sealed = stored.body.subarray(0, sealedBytes)
  const begun = openBegunPiece(of, indexOf(row, pieces), stored.body.subarray(sealedBytes))
  return { sealed, pieces, begun }
}

/** More than a part and a piece. */
const TAIL_MAX_BYTES = 32 << 20

/** Removes one tail, which is not recorded any more. */
export const removeTail = async (
  { storage }: Pick<SourceDeps, 'storage'>,
  videoId: string,
  { name }: SourceTail,
): Promise<void> => void (await storage.deletePrefix(tailPrefix(videoId, name)))
