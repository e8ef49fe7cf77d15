import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { StoredPart } from '../domain/stored-part.ts'
import type { EntityManager } from './database.ts'
import { queries } from './queries.ts'
import type { Tables } from './queries.ts'

/** A writer of a source: nothing that another one has taken over is changed in its name. */
export interface WriterOf {
  videoId: string
  token: string
}

export type SourceWrite = Selectable<Tables['source_write']>

/** A writer uses two numbers between two records: the end of a source may need two parts. */
const NUMBERS = 2

const jsonOf = (parts: StoredPart[]) => sql<StoredPart[]>`${JSON.stringify(parts)}::jsonb`

const EMPTY = { objectId: null, parts: jsonOf([]), offsetBytes: 0, carry: Buffer.alloc(0) }

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

type Change = Partial<Pick<SourceWrite, 'isHeld' | 'objectId'>>

/** Changes what a writer has recorded. Returns false if it is no longer the writer. */
export async function changeSourceWrite(
  em: EntityManager,
  by: WriterOf,
  change: Change,
): Promise<boolean> {
  const changed = await update(em, by).set(change).executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Records a part and all bytes before its end. Returns the next number for a part; null if `by` is no longer the writer. */
export async function recordSourcePart(
  em: EntityManager,
  by: WriterOf,
  { parts, offsetBytes, carry }: Pick<SourceWrite, 'parts' | 'offsetBytes' | 'carry'>,
): Promise<number | null> {
  const row = await update(em, by)
    .set(({ eb }) => ({
      parts: jsonOf(parts),
      offsetBytes,
      carry,
      nextNumber: eb('nextNumber', '+', NUMBERS),
    }))
    .returning('nextNumber')
    .executeTakeFirst()
  return row ? row.nextNumber - NUMBERS : null
}

/** Forgets all parts, because the object is gone or the file is another one. Returns false if `by` is no longer the writer. */
export async function restartSourceWrite(
  em: EntityManager,
  by: WriterOf,
  validator: string | null,
): Promise<boolean> {
  const changed = await update(em, by)
    .set({ ...EMPTY, validator })
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Deletes the record of a source that is stored whole. */
export async function deleteSourceWrite(em: EntityManager, by: WriterOf): Promise<void> {
  await queries(em)
    .deleteFrom('source_write')
    .where('videoId', '=', by.videoId)
    .where('token', '=', by.token)
    .execute()
}

const update = (em: EntityManager, { videoId, token }: WriterOf) =>
  queries(em)
    .updateTable('source_write')
    .set({ updatedAt: new Date() })
    .where('videoId', '=', videoId)
    .where('token', '=', token)
