import { sourceKey } from '../../domain/videos/media-paths.ts'
import { SourceCipherError, type SourceKeyOf } from '../../security/sealing/encrypted-source.ts'
import { openStoredSource, type StoredSource } from '../../security/sealing/stored-source.ts'
import {
  ObjectNotFoundError,
  RangeNotSatisfiableError,
  readRange,
  type ObjectStorage,
} from '../../storage/object-storage.ts'
import type { ActivityDeps } from '../deps.ts'
import { recordSource, type SourceOf } from './source-keys.ts'

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
    if (isNotStored(error)) return null
    throw error
  }
}

const NOT_STORED = [ObjectNotFoundError, RangeNotSatisfiableError, SourceCipherError]

/** Whether an error of `openStoredSource` says that no file is stored, or another one than it names. */
export const isNotStored = (error: unknown): boolean =>
  NOT_STORED.some((kind) => error instanceof kind)

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
