import type { KeyModel } from '../../domain/drm/key-model.ts'
import type { EntityManager } from '../database.ts'
import { ContentKey, KeyRequest, Video } from '../entities/video.ts'
import { queries } from '../queries.ts'

/** Inserts sealed keys. Call it while the video is locked, for tracks without a key. */
export async function insertContentKeys(
  em: EntityManager,
  keys: Omit<ContentKey, 'createdAt'>[],
): Promise<void> {
  await em.insertMany(ContentKey, keys)
}

/** Records what a key server will be asked for. Call it while the video is locked, once for a video. */
export async function insertKeyRequests(
  em: EntityManager,
  requests: Omit<KeyRequest, 'createdAt'>[],
): Promise<void> {
  await em.insertMany(KeyRequest, requests)
}

/** Records where the keys of a video come from. */
export async function recordKeyModel(
  em: EntityManager,
  videoId: string,
  keyModel: KeyModel,
): Promise<void> {
  await em.nativeUpdate(Video, { id: videoId }, { keyModel })
}

/** Deletes the keys of a video, what a key server was asked for, and the key of its source. */
export async function deleteKeys(em: EntityManager, videoId: string): Promise<void> {
  for (const table of ['content_key', 'key_request', 'source_key'] as const)
    await queries(em).deleteFrom(table).where('videoId', '=', videoId).execute()
}
