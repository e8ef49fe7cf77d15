import type { EntityManager } from '../db/database.ts'
import type { Video } from '../db/entities/video.ts'
import { findSourceKey } from '../db/ingest/source-keys.ts'
import { originalKey, sourceKey } from '../domain/videos/media-paths.ts'
import type { MasterKeys } from '../security/sealing/sealing.ts'
import { openSourceKey } from '../security/sealing/secret-contexts.ts'
import { openStoredSource, type StoredSource } from '../security/sealing/stored-source.ts'
import { ObjectNotFoundError, readRange, type ObjectStorage } from '../storage/object-storage.ts'

/** Where originals and their keys are. */
interface KeptIn {
  em: EntityManager
  masterKeys: MasterKeys
  storage: ObjectStorage
}

/** Opens the kept original of a video; null if it is not kept, or the video is not ready. */
export async function openOriginal(
  { em, masterKeys, storage }: KeptIn,
  { id, keepOriginal, status }: Video,
): Promise<StoredSource | null> {
  if (!keepOriginal || status !== 'ready') return null
  const row = await findSourceKey(em, id)
  const of = row && openSourceKey(masterKeys, row)
  // Originals that were kept before sources were encrypted have a place of their own.
  for (const key of [sourceKey(id), originalKey(id)]) {
    try {
      return await openStoredSource((range) => readRange(storage, key, range), of)
    } catch (error) {
      if (!(error instanceof ObjectNotFoundError)) throw error
    }
  }
  return null
}
