import { sql, type UpdateResult } from 'kysely'
import type { StoredPart } from '../../domain/encoding/stored-part.ts'
import type { SourceTail } from '../../domain/ingest/source-tail.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { SourceWriteLostError, type SourceWrite } from './source-writes.ts'

/** A writer of a source: nothing that another one has taken over is changed in its name. */
export interface WriterOf {
  videoId: string
  token: string
}

/** A writer uses two numbers between two records: the end of a source may need two parts. */
const NUMBERS = 2

const jsonOf = (parts: StoredPart[]) => sql<StoredPart[]>`${JSON.stringify(parts)}::jsonb`

const EMPTY = {
  objectId: null,
  sourceId: null,
  parts: jsonOf([]),
  offsetBytes: 0,
  carry: Buffer.alloc(0),
  tail: null,
}

/**
 * Makes `token` the only writer of a source. Returns what the writer before has recorded, and whether it may still run.
 * Call it while the video is locked. The video must have a source key.
 */
export async function claimSourceWrite(
  em: EntityManager,
  { videoId, token }: WriterOf,
): Promise<SourceWrite> {
  const db = queries(em)
  const before = await db
    .selectFrom('source_write')
    .selectAll()
    .where('videoId', '=', videoId)
    .forUpdate()
    .executeTakeFirst()
  if (before) {
    const nextNumber = before.nextNumber + NUMBERS
    const change = { token, isHeld: true, nextNumber, updatedAt: new Date() }
    await db.updateTable('source_write').set(change).where('videoId', '=', videoId).execute()
    return { ...before, token }
  }
  const made = { videoId, token, isHeld: true, validator: null, nextNumber: 1 + NUMBERS, ...EMPTY }
  const row = await db
    .insertInto('source_write')
    .values(made)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, isHeld: false, nextNumber: 1 }
}

type Change = Partial<Pick<SourceWrite, 'isHeld' | 'objectId' | 'validator' | 'sourceId' | 'tail'>>

/** Changes what a writer has recorded. Throws a SourceWriteLostError if it is no longer the writer. */
export async function changeSourceWrite(
  em: EntityManager,
  by: WriterOf,
  change: Change,
): Promise<void> {
  const { tail, ...others } = change
  const columns = tail
    ? { ...others, tail: sql<SourceTail>`${JSON.stringify(tail)}::jsonb` }
    : others
  unlessLost(await update(em, by).set(columns).executeTakeFirst())
}

type Recorded = Pick<SourceWrite, 'parts' | 'offsetBytes' | 'carry' | 'sourceId'>

/**
 * Records a part and all bytes before its end. Returns the next number for a part. Throws a SourceWriteLostError if `by` is
 * no longer the writer.
 */
export async function recordSourcePart(
  em: EntityManager,
  by: WriterOf,
  { parts, ...recorded }: Recorded,
): Promise<number> {
  const row = await update(em, by)
    .set(({ eb }) => ({
      ...recorded,
      parts: jsonOf(parts),
      tail: null,
      nextNumber: eb('nextNumber', '+', NUMBERS),
    }))
    .returning('nextNumber')
    .executeTakeFirst()
  if (!row) throw lost()
  return row.nextNumber - NUMBERS
}

/**
 * Forgets all parts, because the object is gone or the file is another one. Throws a SourceWriteLostError if `by` is no
 * longer the writer.
 */
export async function restartSourceWrite(
  em: EntityManager,
  by: WriterOf,
  validator: string | null,
): Promise<void> {
  const restarted = { ...EMPTY, validator }
  unlessLost(await update(em, by).set(restarted).executeTakeFirst())
}

/** Deletes the record of a source that is stored whole. Throws a SourceWriteLostError if `by` is no longer the writer. */
export async function endSourceWrite(em: EntityManager, by: WriterOf): Promise<void> {
  const ended = await queries(em)
    .deleteFrom('source_write')
    .where('videoId', '=', by.videoId)
    .where('token', '=', by.token)
    .returning('videoId')
    .executeTakeFirst()
  if (!ended) throw lost()
}

/** Ends the writing of a source by any process. Returns the id of the object that it has not ended. */
export async function dropSourceWrite(em: EntityManager, videoId: string): Promise<string | null> {
  const dropped = await queries(em)
    .deleteFrom('source_write')
    .where('videoId', '=', videoId)
    .returning('objectId')
    .executeTakeFirst()
  return dropped?.objectId ?? null
}

const lost = (): SourceWriteLostError =>
  new SourceWriteLostError('another writer has taken over the source')

function unlessLost({ numUpdatedRows }: UpdateResult): void {
  if (numUpdatedRows === 0n) throw lost()
}

const update = (em: EntityManager, { videoId, token }: WriterOf) =>
  queries(em)
    .updateTable('source_write')
    .set({ updatedAt: new Date() })
    .where('videoId', '=', videoId)
    .where('token', '=', token)
