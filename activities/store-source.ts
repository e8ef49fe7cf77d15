import { sourceKey } from '../domain/media-paths.ts'
import { encryptSource } from '../security/encrypted-source.ts'
import type { SourceKeyOf } from '../security/encrypted-source.ts'
import { openStoredSource } from '../security/stored-source.ts'
import type { StoredSource } from '../security/stored-source.ts'
import { readRange } from '../storage/object-storage.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'

/** Encrypts a source while it is read and stores it. Other machines then see it whole, or not at all. */
export const storeSource = (
  storage: ObjectStorage,
  of: SourceKeyOf,
  chunks: AsyncIterable<Buffer>,
): Promise<void> =>
  storage.putStream(sourceKey(of.videoId), encryptSource(of, chunks), 'application/octet-stream')

/** Opens the stored source of a video. Throws an ObjectNotFoundError, or as `openStoredSource` does. */
export const openSourceObject = (
  storage: ObjectStorage,
  videoId: string,
  of: SourceKeyOf | null,
): Promise<StoredSource> =>
  openStoredSource((range) => readRange(storage, sourceKey(videoId), range), of)

/**
 * Returns the size of the source if an earlier attempt has stored it encrypted; otherwise null, also if storage does
 * not answer: the attempt that then stores it reports that.
 */
export const storedSourceBytes = (
  storage: ObjectStorage,
  of: SourceKeyOf,
): Promise<number | null> =>
  openSourceObject(storage, of.videoId, of).then(
    ({ layout }) => layout.sizeBytes,
    () => null,
  )
