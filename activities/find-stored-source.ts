import { sourceKey } from '../domain/media-paths.ts'
import { SourceCipherError } from '../security/encrypted-source.ts'
import type { SourceKeyOf } from '../security/encrypted-source.ts'
import { openStoredSource } from '../security/stored-source.ts'
import type { StoredSource } from '../security/stored-source.ts'
import {
  ObjectNotFoundError,
  RangeNotSatisfiableError,
  readRange,
} from '../storage/object-storage.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import type { ActivityDeps } from './deps.ts'
import { recordSource } from './source-keys.ts'
import type { SourceOf } from './source-keys.ts'

type Deps = Pick<ActivityDeps, 'db' | 'storage'>

/** Opens the stored source of a video. Throws an ObjectNotFoundError, or as `openStoredSource` does. */
export const openSourceObject = (
  storage: ObjectStorage,
  videoId: string,
  of: SourceKeyOf | null,
): Promise<StoredSource> =>
  openStoredSource((range) => readRange(storage, sourceKey(videoId), range), of)

/**
 * Opens the source that an earlier attempt has stored encrypted, and records it. Returns null if there is none, or what
 * is stored is not a source of this video. Throws all other errors of the storage: they do not say that there is none.
 */
export async function findStoredSource(deps: Deps, of: SourceOf): Promise<StoredSource | null> {
  try {
    const stored = await openSourceObject(deps.storage, of.videoId, of)
    await recordStored(deps, of, stored)
    return stored
  } catch (error) {
    if (NO_SOURCE.some((kind) => error instanceof kind)) return null
    throw error
  }
}

const NO_SOURCE = [ObjectNotFoundError, RangeNotSatisfiableError, SourceCipherError]

/**
 * Records what is stored of a source, unless `of` says it: an older worker, or an attempt that was killed, did not.
 * Throws a SourceCipherError if it is not of this video.
 */
export async function recordStored(
  deps: Deps,
  { videoId, sourceId }: SourceOf,
  stored: StoredSource,
): Promise<void> {
  if (stored.id === null || stored.id === sourceId) return
  await stored.readPiece(0)
  await recordSource(deps, videoId, stored.id)
}
