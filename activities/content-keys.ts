import { findContentKey, insertContentKeys } from '../db/renditions.ts'
import type { EntityManager } from '../db/database.ts'
import { findContentKeys } from '../db/playback.ts'
import type { Protection } from '../domain/plan.ts'
import type { TrackType } from '../domain/rendition.ts'
import type { ContentKey } from '../drm/key-provider.ts'
import { seal, unseal } from '../security/sealing.ts'
import type { MasterKeys } from '../security/sealing.ts'
import { contentKeyContext } from '../security/secret-contexts.ts'
import type { ActivityDeps } from './deps.ts'
import { videoGone } from './ingest-step.ts'

/**
 * Creates and seals the missing keys of a video, one per track type. Concurrent or repeated runs end
 * with the same keys, because the first insert of each stays.
 */
export async function ensureContentKeys(
  deps: Pick<ActivityDeps, 'masterKeys' | 'keyProvider'>,
  em: EntityManager,
  video: { id: string; protection: Protection },
  trackTypes: TrackType[],
): Promise<void> {
  const present = await findContentKeys(em, video.id)
  const missing = trackTypes.filter((type) => !present.some((row) => row.trackType === type))
  if (missing.length === 0) return
  const keys = await deps
    .keyProvider(video.protection)
    .createKeys({ videoId: video.id, trackTypes: missing })
  const rows = keys.flatMap((key) =>
    key.trackTypes.map((trackType) => ({
      videoId: video.id,
      trackType,
      keyId: key.keyId.toString('hex'),
      sealedKey: seal(deps.masterKeys, key.key, contentKeyContext(video.id, trackType)),
      ivHex: key.ivHex,
      systems: key.systems,
    })),
  )
  await insertContentKeys(em, rows)
}

/** Returns a video's unsealed key for one track type, which stays in memory and is never logged. */
export async function openContentKey(
  masterKeys: MasterKeys,
  em: EntityManager,
  videoId: string,
  trackType: TrackType,
): Promise<ContentKey> {
  const row = await findContentKey(em, videoId, trackType)
  // A deletion destroys the keys before it stops the work.
  if (!row) throw videoGone()
  return {
    trackTypes: [trackType],
    keyId: Buffer.from(row.keyId, 'hex'),
    key: unseal(masterKeys, row.sealedKey, contentKeyContext(videoId, trackType)),
    ivHex: row.ivHex,
    systems: row.systems,
  }
}
