import type { EntityManager } from './database.ts'
import { SourceKey } from './entities/video.ts'
import { queries } from './queries.ts'

/** The sealed key of a video's stored source; null if the source is stored without one, or its key is deleted. */
export const findSourceKey = (em: EntityManager, videoId: string): Promise<SourceKey | null> =>
  em.findOne(SourceKey, { videoId })

/** Inserts a sealed key unless the video has one. Call it while the video is locked. */
export async function insertSourceKey(
  em: EntityManager,
  key: Pick<SourceKey, 'videoId' | 'sealedKey'>,
): Promise<void> {
  await queries(em)
    .insertInto('source_key')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes the key of a video's source, so that copies of the stored source cannot be decrypted. */
export async function deleteSourceKey(em: EntityManager, videoId: string): Promise<void> {
  await em.nativeDelete(SourceKey, { videoId })
}
