import type { EntityManager } from '../db/database.ts'
import {
  changeSourceWrite,
  deleteSourceWrite,
  recordSourcePart,
  restartSourceWrite,
} from '../db/source-writes.ts'
import type { SourceWrite, WriterOf } from '../db/source-writes.ts'
import { sourceKey } from '../domain/media-paths.ts'
import { PART_BYTES } from '../storage/object-storage.ts'
import type { ActivityDeps } from './deps.ts'

type Deps = Pick<ActivityDeps, 'db' | 'storage'>

const TYPE = 'application/octet-stream'

/** Another process has taken over the source, or what was stored of it is gone: open it again. */
export class SourceWriteLostError extends Error {
  override name = 'SourceWriteLostError'
}

/** The stored parts of a source, as long as `by` is its writer; then every method throws a SourceWriteLostError. */
export interface SourceParts {
  /** Stores a part, and records it unless it is of the end: the next writer could not know that the file ends there. */
  put(body: Buffer, recorded: Pick<SourceWrite, 'offsetBytes' | 'carry'> | null): Promise<void>
  /** Makes the source visible; `last` are its bytes behind the parts. */
  complete(last: Buffer): Promise<void>
  /** Says that this process writes no more. */
  release(): Promise<void>
}

/** The row of a source of which nothing is stored. */
export const fromStart = (row: SourceWrite): SourceWrite => ({
  ...row,
  objectId: null,
  parts: [],
  offsetBytes: 0,
  carry: Buffer.alloc(0),
})

/** Continues the object of the writer before; returns the row of a new one if it was removed. */
export async function resumeParts(
  { db, storage: { partial } }: Deps,
  by: WriterOf,
  row: SourceWrite,
): Promise<SourceWrite> {
  const { objectId } = row
  if (objectId === null) return row
  const key = sourceKey(by.videoId)
  try {
    const before = { sizeBytes: row.parts.length * PART_BYTES, mayWrite: row.isHeld }
    const taken = await partial.resume(key, objectId, before)
    if (taken === objectId) return row
    await owned(changeSourceWrite(db.em.fork(), by, { objectId: taken }))
    await partial.abort(key, objectId)
    return { ...row, objectId: taken }
  } catch (error) {
    if (!isObjectGone(error)) throw error
    await owned(restartSourceWrite(db.em.fork(), by, row.validator))
    return fromStart(row)
  }
}

/** The parts of the source whose row `by` has claimed. */
export function openSourceParts(
  { db, storage }: Deps,
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
    if (await changeSourceWrite(em(), by, { objectId: begun })) return begun
    await partial.abort(key, begun)
    throw lost()
  }
  const unlessGone = <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      if (!isObjectGone(error)) throw error
      await owned(restartSourceWrite(em(), by, row.validator))
      throw new SourceWriteLostError('what was stored of the source is gone', { cause: error })
    })
  const put: SourceParts['put'] = async (body, recorded) => {
    objectId ??= await begin()
    const at = { number: nextNumber, startByte: parts.length * PART_BYTES }
    const etag = await unlessGone(partial.put(key, objectId, at, body))
    parts.push({ number: nextNumber, etag, sizeBytes: body.length })
    nextNumber += 1
    if (recorded === null) return
    const next = await recordSourcePart(em(), by, { ...recorded, parts })
    if (next === null) throw lost()
    nextNumber = next
  }
  return {
    put,
    async complete(last) {
      // No writer that has lost the source completes it.
      await owned(changeSourceWrite(em(), by, { isHeld: true }))
      if (objectId === null) {
        await storage.putBuffer(key, last, TYPE)
      } else {
        if (last.length > 0) await put(last, null)
        await unlessGone(partial.join(key, objectId, parts))
      }
      await deleteSourceWrite(em(), by)
    },
    release: async () => void (await changeSourceWrite(em(), by, { isHeld: false })),
  }
}

const lost = (): SourceWriteLostError =>
  new SourceWriteLostError('another writer has taken over the source')

async function owned(change: Promise<boolean>): Promise<void> {
  if (!(await change)) throw lost()
}

const isObjectGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['NoSuchUpload', 'ENOENT'].includes(String(error.code))
