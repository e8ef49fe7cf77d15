import type { Client } from 'minio'
import type { StoredPart } from '../domain/encoding/stored-part.ts'
import { storageErrorCode, type PartialObjects } from './contract.ts'

export type Part = Pick<StoredPart, 'number' | 'etag'>

export interface Target {
  bucket: string
  key: string
}

/** Begins a multipart upload and returns its id. */
export const beginParts = (
  client: Client,
  { bucket, key }: Target,
  contentType: string,
): Promise<string> =>
  client.initiateNewMultipartUpload(bucket, key, { 'Content-Type': contentType })

/** Stores a part and returns its etag. */
export async function putPart(
  client: Client,
  { bucket, key }: Target,
  { uploadId, number }: { uploadId: string; number: number },
  body: Buffer,
): Promise<string> {
  const at = { bucketName: bucket, objectName: key, uploadID: uploadId, headers: {} }
  return (await client.uploadPart({ ...at, partNumber: number }, body)).etag
}

/** Makes the object of its parts, which then is visible. */
export async function joinParts(
  client: Client,
  { bucket, key }: Target,
  uploadId: string,
  parts: readonly Part[],
): Promise<void> {
  const etags = parts.map(({ number, etag }) => ({ part: number, etag }))
  await client.completeMultipartUpload(bucket, key, uploadId, etags)
}

/** Removes an upload and its parts, unless it has ended. */
export async function abortParts(
  client: Client,
  { bucket, key }: Target,
  uploadId: string,
): Promise<void> {
  try {
    await client.abortMultipartUpload(bucket, key, uploadId)
  } catch (error) {
    if (storageErrorCode(error) !== 'NoSuchUpload') throw error
  }
}

class NoSuchUploadError extends Error {
  readonly code = 'NoSuchUpload'
}

/** Objects in parts of one bucket, as multipart uploads. */
export function s3PartialObjects(client: Client, bucket: string): PartialObjects {
  return {
    begin: (key, contentType) => beginParts(client, { bucket, key }, contentType),
    // Parts have numbers that no other process uses.
    async resume(key, uploadId) {
      const { uploads } = await client.listIncompleteUploadsQuery(bucket, key, '', '', '')
      if (uploads.some((one) => one.uploadId === uploadId)) return uploadId
      throw new NoSuchUploadError(`no upload ${uploadId}`)
    },
    put: (key, uploadId, { number }, body) =>
      putPart(client, { bucket, key }, { uploadId, number }, body),
    async join(key, uploadId, parts) {
      try {
        await joinParts(client, { bucket, key }, uploadId, parts)
      } catch (error) {
        if (storageErrorCode(error) !== 'NoSuchUpload') throw error
        // The response to an earlier request was lost, or the upload was removed.
        const { size } = await client.statObject(bucket, key)
        if (size !== parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)) throw error
      }
    },
    abort: (key, uploadId) => abortParts(client, { bucket, key }, uploadId),
  }
}
