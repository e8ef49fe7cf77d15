import type { TrackType } from '../../domain/videos/rendition.ts'
import type { EntityManager } from '../database.ts'
import { ContentKey, KeyRequest } from '../entities/video.ts'

/** The content keys of a video, still sealed. */
export const findContentKeys = (em: EntityManager, videoId: string): Promise<ContentKey[]> =>
  em.find(ContentKey, { videoId })

/** The sealed key that encrypts one type of tracks of a video; null after the video's deletion. */
export const findContentKey = (
  em: EntityManager,
  videoId: string,
  trackType: TrackType,
): Promise<ContentKey | null> =>
  em.findOne(ContentKey, { videoId, trackTypes: { $contains: [trackType] } })

/** True if one of these key ids (hex) is that of another video. */
export const hasKeyIdInUse = async (
  em: EntityManager,
  videoId: string,
  keyIdsHex: string[],
): Promise<boolean> =>
  (await em.count(ContentKey, { keyId: { $in: keyIdsHex }, videoId: { $ne: videoId } })) > 0

/** What a key server was asked for a video; empty before the first request. */
export const findKeyRequests = (em: EntityManager, videoId: string): Promise<KeyRequest[]> =>
  em.find(KeyRequest, { videoId }, { orderBy: { name: 'asc' } })
