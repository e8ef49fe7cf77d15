import type { ObjectStorage } from './contract.ts'
import type { OnMissing } from './delete-objects.ts'
import { createFolderStorage } from './folder-storage.ts'
import { createS3Storage, ensureBucket, type S3Config } from './s3-storage.ts'
import type { S3Limits } from './s3-transport.ts'
import { StorageUnusableError } from './storage-error.ts'

export { lengthOf, ObjectNotFoundError, RangeNotSatisfiableError, readRange } from './contract.ts'
export { gatherParts, type PartGatherer } from './gather-parts.ts'
export { arePartsWanted, limitParts, PART_BYTES } from './part-buffers.ts'
export { StorageUnusableError }
export { VIEWER_LIMITS } from './s3-transport.ts'
export type { ByteRange, ListedObject, ObjectStorage, StoredObject } from './contract.ts'

export type StorageConfig = { driver: 'folder'; dir: string } | ({ driver: 's3' } & S3Config)

/**
 * Creates the storage driver, without access to disk or network yet. `limits` are those of requests to S3; `onMissing`
 * is called once for an operation that an S3 storage lacks.
 */
export function createStorage(
  config: StorageConfig,
  limits?: S3Limits,
  onMissing?: OnMissing,
): ObjectStorage {
  switch (config.driver) {
    case 'folder':
      return createFolderStorage(config.dir)
    case 's3':
      return createS3Storage(config, limits, onMissing)
  }
}

/**
 * Creates a missing bucket, once before the first start. A folder needs no preparation. Throws a StorageUnusableError
 * that names the storage.
 */
export async function prepareStorage(config: StorageConfig): Promise<void> {
  if (config.driver === 's3') await ensureBucket(config).catch(unusable(config))
}

/** Rethrows what a request to the storage failed with, as a StorageUnusableError. */
export const unusable =
  (config: StorageConfig) =>
  (error: unknown): never => {
    throw config.driver === 's3' ? new StorageUnusableError(config, error) : error
  }
