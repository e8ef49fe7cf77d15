import type { EntityManager } from '../db/database.ts'
import { findContentKeys } from '../db/ingest/content-keys.ts'
import type { TrackType } from '../domain/videos/rendition.ts'
import type { PackagerKey } from '../media/package/packager.ts'
import { unseal, type MasterKeys } from '../security/sealing/sealing.ts'
import { contentKeyContext } from '../security/sealing/secret-contexts.ts'

/** Opens the content keys of a video, by the type of track. */
export async function openPackagerKeys(
  em: EntityManager,
  masterKeys: MasterKeys,
  videoId: string,
): Promise<Map<TrackType, PackagerKey>> {
  const keys = new Map<TrackType, PackagerKey>()
  for (const { name, keyId, sealedKey, trackTypes } of await findContentKeys(em, videoId)) {
    const key = unseal(masterKeys, sealedKey, contentKeyContext(videoId, name))
    const packagerKey = { keyIdHex: keyId, keyHex: key.toString('hex') }
    for (const type of trackTypes) keys.set(type, packagerKey)
  }
  return keys
}
