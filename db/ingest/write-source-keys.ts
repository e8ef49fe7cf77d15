import type { EntityManager } from '../database.ts'
import { SourceKey } from '../entities/ingest.ts'
import { queries } from '../queries.ts'

/** Inserts a sealed key unless the video has one, and returns whether it did. Call it while the video is locked. */
export async function insertSourceKey(
  em: EntityManager,
  key: Pick<SourceKey, 'videoId' | 'sealedKey'>,
): Promise<boolean> {
  const inserted = await queries(em)
    .insertInto('source_key')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .returning('videoId')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Sets which source of a video is stored, and forgets the copy of another one. Returns whether it replaces another one. Call it while the video is locked.
 * Does nothing if the key was deleted.
 */
export async function putSourceId(
  em: EntityManager,
  videoId: string,
  sourceId: string,
): Promise<boolean> {
  const before = await queries(em)
    .selectFrom('source_key')
    .select('sourceId')
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  await queries(em)
    .updateTable('source_key')
    .set(({ eb }) => ({
      sourceId,
      copyId: eb.case().when('sourceId', '=', sourceId).then(eb.ref('copyId')).else(null).end(),
    }))
    .where('videoId', '=', videoId)
    .execute()
  return before !== undefined && before.sourceId !== null && before.sourceId !== sourceId
}

/**
 * Records the copy of the picture of a source. Returns false if another source is recorded, or has a copy already. Call
 * it while the video is locked.
 */
export async function putCopyId(
  em: EntityManager,
  videoId: string,
  { sourceId, copyId }: { sourceId: string; copyId: string },
): Promise<boolean> {
  const updated = await queries(em)
    .updateTable('source_key')
    .set({ copyId })
    .where('videoId', '=', videoId)
    .where('sourceId', '=', sourceId)
    .where('copyId', 'is', null)
    .returning('videoId')
    .executeTakeFirst()
  return updated !== undefined
}

/** Forgets the copy of the picture of a video's source. */
export async function forgetCopy(em: EntityManager, videoId: string): Promise<void> {
  await em.nativeUpdate(SourceKey, { videoId }, { copyId: null })
}

/** Deletes the key of a video's source, so that copies of the stored source cannot be decrypted. */
export async function deleteSourceKey(em: EntityManager, videoId: string): Promise<void> {
  await em.nativeDelete(SourceKey, { videoId })
}
