import {
  holdSource,
  recordPart,
  recordSourceObject,
  restartSource,
} from '../commands/ingest/write-source.ts'
import type { Database, EntityManager } from '../db/database.ts'
import { SourceWriteLostError, type SourceWrite } from '../db/ingest/source-writes.ts'
import type { WriterOf } from '../db/ingest/write-source-parts.ts'
import { sourceKey } from '../domain/videos/media-paths.ts'
import { PART_BYTES, type ObjectStorage } from '../storage/object-storage.ts'

/** What a writer of sources needs from the start of its process. */
export interface SourceDeps {
  db: Database
  storage: ObjectStorage
}

const TYPE = 'application/octet-stream'

type Recorded = Pick<SourceWrite, 'offsetBytes' | 'carry' | 'sourceId'>

/** The stored parts of a source, as long as `by` is its writer; then every method throws a SourceWriteLostError. */
export interface SourceParts {
  /** Stores a part, and records it unless it is of the end: the next writer could not know that the file ends there. */
  put(body: Buffer, recorded: Recorded | null): Promise<void>
  /** Makes the source visible; `last` are its bytes behind the parts. */
  complete(last: Buffer): Promise<void>
}

/** The row of a source of which nothing is stored. */
const fromStart = (row: SourceWrite): SourceWrite => ({
  ...row,
  objectId: null,
  sourceId: null,
  parts: [],
  offsetBytes: 0,
  carry: Buffer.alloc(0),
  tail: null,
})

/** Forgets what is recorded of another file than the one with this `validator`. Returns the new row. */
export async function restartParts(
  { db, storage }: SourceDeps,
  by: WriterOf,
  row: SourceWrite,
  validator: string | null,
): Promise<SourceWrite> {
  await restartSource(db.em.fork(), by, validator)
  if (row.objectId !== null) await storage.partial.abort(sourceKey(by.videoId), row.objectId)
  return fromStart({ ...row, validator })
}

/** Continues the object of the writer before; returns the row of a new one if it was removed. */
export async function resumeParts(
  { db, storage: { partial } }: SourceDeps,
  by: WriterOf,
  row: SourceWrite,
  onProgress?: () => void,
): Promise<SourceWrite> {
  const { objectId } = row
  if (objectId === null) return row
  const key = sourceKey(by.videoId)
  try {
    const before = { sizeBytes: row.parts.length * PART_BYTES, mayWrite: row.isHeld }
    const taken = await partial.resume(key, objectId, before, onProgress)
    if (taken === objectId) return row
    await recordSourceObject(db.em.fork(), by, taken).catch(async (error: unknown) => {
      // Nothing names the copy. Another failure may hide that it is recorded.
      if (error instanceof SourceWriteLostError) await partial.abort(key, taken)
      throw error
    })
    await partial.abort(key, objectId)
    return { ...row, objectId: taken }
  } catch (error) {
    if (!isObjectGone(error)) throw error
    await restartSource(db.em.fork(), by, row.validator)
    return fromStart(row)
  }
}

/** The parts of the source whose row `by` has claimed. */
export function openSourceParts(
  { db, storage }: SourceDeps,
  by: WriterOf,
  row: SourceWrite,
): SourceParts {
  const em = (): EntityManager => db.em.fork()
  const key = sourceKey(by.videoId)
  const { partial } = storage
  const parts = [...row.parts]
  let { objectId, nextNumber } = row

  const begin = async (): Promise<string> => {
    const begun = await partial.begin(key, TYPE)
    try {
      await recordSourceObject(em(), by, begun)
      return begun
    } catch (error) {
      await partial.abort(key, begun)
      throw error
    }
  }
  const unlessGone = <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      if (!isObjectGone(error)) throw error
      await restartSource(em(), by, row.validator)
      throw new SourceWriteLostError('what was stored of the source is gone', { cause: error })
    })
  const put: SourceParts['put'] = async (body, recorded) => {
    objectId ??= await begin()
    const at = { number: nextNumber, startByte: parts.length * PART_BYTES }
    const etag = await unlessGone(partial.put(key, objectId, at, body))
    parts.push({ number: nextNumber, etag, sizeBytes: body.length })
    nextNumber += 1
    if (recorded) nextNumber = await recordPart(em(), by, { ...recorded, parts })
  }
  return {
    put,
    async complete(last) {
      // No writer that has lost the source completes it.
      await holdSource(em(), by)
      if (objectId === null) return storage.putBuffer(key, last, TYPE)
      if (last.length > 0) await put(last, null)
      await unlessGone(partial.join(key, objectId, parts))
    },
  }
}

const isObjectGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['NoSuchUpload', 'ENOENT'].includes(String(error.code))
