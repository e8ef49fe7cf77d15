import { randomBytes } from 'node:crypto'
import { recordTail } from '../commands/ingest/write-source.ts'
import { SourceWriteLostError, type SourceWrite } from '../db/ingest/source-writes.ts'
import type { WriterOf } from '../db/ingest/write-source-parts.ts'
import { PIECE_BYTES, type SourceTail, type TailObject } from '../domain/ingest/source-tail.ts'
import { tailKey, tailPrefix } from '../domain/videos/media-paths.ts'
import {
  openBegunPiece,
  sealBegunPiece,
  SourceCipherError,
  type SourceKeyOf,
} from '../security/sealing/encrypted-source.ts'
import { freeMemory } from '../storage/free-memory.ts'
import type { SourceDeps } from './source-parts.ts'

const TYPE = 'application/octet-stream'
const NAME_BYTES = 8
/** Longer encrypted bytes get an object of their own: copying them next to the begun piece would double their memory. */
const COPIED_MAX_BYTES = 2 * PIECE_BYTES

/** What a writer has of a source behind its last recorded part. */
export interface TailBytes {
  /** Encrypted, and continues the parts. */
  sealed: Buffer
  /** How many pieces end in `sealed`. */
  pieces: number
  /** The bytes of the file behind them. */
  begun: Buffer
}

/** A tail that was read. */
interface StoredTail extends Omit<TailBytes, 'sealed'> {
  sealed: Buffer[]
  /** Frees the memory of `sealed`, which must not be used afterwards. */
  free: () => void
}

/** How many bytes of the file a tail has. */
export const tailLength = ({ pieces, begunBytes }: SourceTail): number =>
  pieces * PIECE_BYTES + begunBytes

/** Where the piece that a tail has begun stands in the file. */
const indexOf = ({ offsetBytes }: Pick<SourceWrite, 'offsetBytes'>, pieces: number): number =>
  offsetBytes / PIECE_BYTES + pieces

const sealedBytesOf = (objects: readonly TailObject[]): number =>
  objects.reduce((sum, { sealedBytes }) => sum + sealedBytes, 0)

/** All objects of a tail, in order. */
const objectsOf = ({ before = [], name, sealedBytes }: SourceTail): TailObject[] => [
  ...before,
  { name, sealedBytes },
]

/** How many encrypted bytes of the source a tail has. */
export const sealedTailBytes = (tail: SourceTail): number => sealedBytesOf(objectsOf(tail))

/**
 * Stores the bytes that are neither in a part nor in the recorded tail, and records them, so that any writer continues after them. Removes
 * an earlier object whose bytes are all in the new one. Throws a SourceWriteLostError if `by` is no longer the writer.
 */
export async function storeTail(
  { db, storage }: SourceDeps,
  of: SourceKeyOf,
  by: WriterOf,
  row: Pick<SourceWrite, 'offsetBytes' | 'sourceId' | 'tail'>,
  { sealed, pieces, begun }: TailBytes,
): Promise<SourceTail> {
  const stored = row.tail ? objectsOf(row.tail) : []
  const before = stored.filter(({ sealedBytes }) => sealedBytes > 0)
  const made: TailObject[] = []
  const put = async (body: Buffer, sealedBytes: number): Promise<TailObject> => {
    const object = { name: randomBytes(NAME_BYTES).toString('hex'), sealedBytes }
    await storage.putBuffer(tailKey(by.videoId, object.name), body, TYPE)
    made.push(object)
    return object
  }
  let added = sealed.subarray(sealedBytesOf(before))
  if (added.length > COPIED_MAX_BYTES) {
    before.push(await put(added, added.length))
    added = EMPTY
  }
  const body = Buffer.concat([added, ...sealBegunPiece(of, indexOf(row, pieces), begun)])
  const last = await put(body, added.length)
  const tail = { ...last, before, pieces, begunBytes: begun.length }
  try {
    await recordTail(db.em.fork(), by, { tail, sourceId: row.sourceId })
  } catch (error) {
    // If the upload has ended, its source was removed before these were there.
    if (error instanceof SourceWriteLostError) await removeObjects({ storage }, by.videoId, made)
    throw error
  }
  const left = stored.filter((object) => !before.includes(object))
  await removeObjects({ storage }, by.videoId, left)
  return tail
}

/** Reads a recorded tail. Throws an ObjectNotFoundError, or a SourceCipherError if it is not that of this source. */
export async function readTail(
  { storage }: Pick<SourceDeps, 'storage'>,
  of: SourceKeyOf,
  row: Pick<SourceWrite, 'offsetBytes'>,
  tail: SourceTail,
): Promise<StoredTail> {
  const bodies = await Promise.all(
    objectsOf(tail).map(async ({ name, sealedBytes }) => {
      const stored = await storage.read(tailKey(of.videoId, name), TAIL_MAX_BYTES)
      if (!stored?.body) throw new SourceCipherError('the stored end of the source is gone')
      return { body: stored.body, sealedBytes }
    }),
  )
  const { pieces, sealedBytes } = tail
  const last = bodies.at(-1)?.body.subarray(sealedBytes) ?? EMPTY
  return {
    sealed: bodies.map((one) => one.body.subarray(0, one.sealedBytes)),
    pieces,
    begun: openBegunPiece(of, indexOf(row, pieces), last),
    free: () => bodies.forEach(({ body }) => freeMemory(body)),
  }
}

const EMPTY = Buffer.alloc(0)

/** More than a part and a piece. */
const TAIL_MAX_BYTES = 32 << 20

/** Removes the objects of a tail, which is not recorded any more. */
export const removeTail = (
  deps: Pick<SourceDeps, 'storage'>,
  videoId: string,
  tail: SourceTail,
): Promise<void> => removeObjects(deps, videoId, objectsOf(tail))

async function removeObjects(
  { storage }: Pick<SourceDeps, 'storage'>,
  videoId: string,
  objects: readonly TailObject[],
): Promise<void> {
  await Promise.all(objects.map(({ name }) => storage.deletePrefix(tailPrefix(videoId, name))))
}
