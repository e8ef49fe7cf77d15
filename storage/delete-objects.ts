import type { Client } from 'minio'
import pLimit from 'p-limit'
import { storageErrorCode } from './contract.ts'

/** What S3 and its like return for an operation that they lack. */
const MISSING_CODES: readonly unknown[] = ['NotImplemented', 'NotSupported', 'MethodNotAllowed']
/** Single deletions that are under way at the same time. */
const AT_ONCE = 10

/** Deletes up to 1,000 objects of a bucket by their keys. Throws if one of them cannot be deleted. */
export type DeleteObjects = (keys: string[], onProgress?: () => void) => Promise<void>

/** Called once, with the name of an operation that a storage lacks and that is replaced by others. */
export type OnMissing = (operation: string) => void

/** Returns a function that deletes objects with one request, or with one for each if the storage lacks that operation. */
export function objectDeleter(client: Client, bucket: string, onMissing: OnMissing): DeleteObjects {
  let isMissing = false
  const deleteEach: DeleteObjects = async (keys, onProgress) => {
    const limit = pLimit(AT_ONCE)
    const deleteOne = (key: string) => client.removeObject(bucket, key).then(onProgress)
    await Promise.all(keys.map((key) => limit(deleteOne, key)))
  }
  return async (keys, onProgress) => {
    if (isMissing) return deleteEach(keys, onProgress)
    try {
      const failures = (await client.removeObjects(bucket, keys)).filter(Boolean)
      if (failures.length > 0) throw new Error(`${failures.length} objects could not be deleted`)
      onProgress?.()
    } catch (error) {
      if (!MISSING_CODES.includes(storageErrorCode(error))) throw error
      if (!isMissing) onMissing('DeleteObjects (POST ?delete)')
      isMissing = true
      await deleteEach(keys, onProgress)
    }
  }
}
