import type { EntityManager } from '../database.ts'
import { SourceKey } from '../entities/ingest.ts'
import { queries } from '../queries.ts'

/** The sealed key of a video's stored source; null if the source is stored without one, or its key is deleted. */
export const findSourceKey = (em: EntityManager, videoId: string): Promise<SourceKey | null> =>
  em.findOne(SourceKey, { videoId })

/** Whether what was made of this source may be recorded. Call it while the video is locked. */
export async function isStoredSource(
  em: EntityManager,
  videoId: string,
  sourceId: string | null,
): Promise<boolean> {
  const other = await queries(em)
    .selectFrom('source_key')
    .select('videoId')
    .where('videoId', '=', videoId)
    .where('sourceId', 'is distinct from', sourceId)
    .executeTakeFirst()
  return other === undefined
}
