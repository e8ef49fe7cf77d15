import type { Client } from 'minio'
import { z } from 'zod'
import { storageErrorCode } from './contract.ts'

const pageSchema = z.object({
  uploads: z.array(z.object({ key: z.string(), uploadId: z.string(), initiated: z.date() })),
  isTruncated: z.boolean(),
  nextKeyMarker: z.string(),
})

interface Uploads {
  bucket: string
  /** Empty, or ending in a slash. */
  prefix: string
  /** Leaves out uploads that began later. */
  startedBefore?: Date
  /** Leaves out uploads of these keys. */
  isKept?: (key: string) => boolean
  /** Called with each page of the list and each removed upload. */
  onProgress?: (() => void) | undefined
}

/**
 * Removes unfinished uploads with their parts. Returns how many. The client's own list also asks for the parts of every
 * upload, one after another, and fails if one of them ends meanwhile.
 */
export async function abortUploads(
  client: Client,
  { bucket, prefix, startedBefore = new Date(8.64e15), isKept = () => false, onProgress }: Uploads,
): Promise<number> {
  let count = 0
  let marker = ''
  do {
    const found = await client.listIncompleteUploadsQuery(bucket, prefix, marker, '', '')
    const page = pageSchema.parse(found)
    onProgress?.()
    for (const { key, uploadId, initiated } of page.uploads) {
      if (initiated >= startedBefore || isKept(key)) continue
      if (await abort(client, bucket, key, uploadId)) count += 1
      onProgress?.()
    }
    // Further uploads of the page's last key are found by the next sweep.
    marker = page.isTruncated ? page.nextKeyMarker : ''
  } while (marker !== '')
  return count
}

/** Returns false if the upload has ended meanwhile: it was completed, or another process has removed it. */
async function abort(
  client: Client,
  bucket: string,
  key: string,
  uploadId: string,
): Promise<boolean> {
  try {
    await client.abortMultipartUpload(bucket, key, uploadId)
    return true
  } catch (error) {
    if (storageErrorCode(error) === 'NoSuchUpload') return false
    throw error
  }
}
