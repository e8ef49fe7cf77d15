import type { TrackType } from '../domain/rendition.ts'
import type { EntityManager } from './database.ts'
import { ContentKey } from './entities/video.ts'

/** The sealed key of a video for one track type; null after the video's deletion. */
export const findContentKey = (
  em: EntityManager,
  videoId: string,
  trackType: TrackType,
): Promise<ContentKey | null> => em.findOne(ContentKey, { videoId, trackType })

/** Inserts sealed keys; for a track type that has one already, keeps the existing key. */
export async function insertContentKeys(
  em: EntityManager,
  keys: Omit<ContentKey, 'createdAt'>[],
): Promise<void> {
  await em.upsertMany(ContentKey, keys, {
    onConflictFields: ['videoId', 'trackType'],
    onConflictAction: 'ignore',
  })
}
