import type { EntityManager } from '../../db/database.ts'
import type { ContentKey, KeyRequest } from '../../db/entities/video.ts'
import { findContentKeys, findKeyRequests, hasKeyIdInUse } from '../../db/ingest/content-keys.ts'
import {
  insertContentKeys,
  insertKeyRequests,
  recordKeyModel,
} from '../../db/ingest/write-content-keys.ts'
import type { KeyModel } from '../../domain/drm/key-model.ts'
import { IngestRefusal } from './ingest-refusal.ts'
import { lockIngest, RUNNING } from './lock-ingest.ts'

/**
 * Records what a key server is asked for before the first request, and returns it: a retry with the same key ids gets the
 * same keys (AWS, "SPEKE API v2"). Returns what is recorded already, if anything is. Refuses with `video_gone` if the video
 * was deleted or has ended.
 */
export const requestContentKeys = (
  em: EntityManager,
  videoId: string,
  requests: Omit<KeyRequest, 'createdAt'>[],
): Promise<KeyRequest[]> =>
  em.transactional(async (tx) => {
    await lockIngest(tx, videoId, RUNNING)
    const recorded = await findKeyRequests(tx, videoId)
    if (recorded.length > 0) return recorded
    await insertKeyRequests(tx, requests)
    // In the same order as for a retry.
    return findKeyRequests(tx, videoId)
  })

/**
 * Stores the sealed keys of a video all at once, unless another run has stored keys for their tracks. `model` says where they
 * come from, if the operator has a choice. Refuses with `drm_provider_refused` if another video has a key of the same id,
 * and with `video_gone` if the video was deleted or has ended.
 */
export const storeContentKeys = (
  em: EntityManager,
  videoId: string,
  model: KeyModel | null,
  keys: Omit<ContentKey, 'createdAt'>[],
): Promise<void> =>
  em.transactional(async (tx) => {
    await lockIngest(tx, videoId, RUNNING)
    const rows = await findContentKeys(tx, videoId)
    const present = new Set(rows.flatMap(({ trackTypes }) => trackTypes))
    if (keys.some(({ trackTypes }) => trackTypes.some((type) => present.has(type)))) return
    const keyIds = keys.map(({ keyId }) => keyId)
    if (await hasKeyIdInUse(tx, videoId, keyIds)) throw keyIdInUse()
    await insertContentKeys(tx, keys)
    if (model !== null) await recordKeyModel(tx, videoId, model)
  })

const keyIdInUse = (): IngestRefusal =>
  new IngestRefusal(
    'drm_provider_refused',
    'The DRM provider’s response has the key id of another video.',
  )
