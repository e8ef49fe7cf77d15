import { Client } from 'minio'
import type { BucketAccess, ImportBucket } from '../domain/imports/video-import.ts'

const VALID_SECONDS = 15 * 60

/**
 * Returns an address that allows GET of an object for 15 minutes, in a bucket that is not ours (AWS Signature Version 4, query parameters). Sends no
 * request.
 */
export const presignObject = (
  bucket: ImportBucket,
  access: BucketAccess,
  key: string,
): Promise<string> =>
  new Client(clientOptions(bucket, access)).presignedGetObject(bucket.name, key, VALID_SECONDS)

/** The options of a client for a bucket that is not ours. */
export function clientOptions(
  { endpoint, region }: ImportBucket,
  { accessKeyId, secretAccessKey, sessionToken }: BucketAccess,
) {
  const { hostname, port } = new URL(endpoint)
  return {
    endPoint: hostname,
    ...(port !== '' && { port: Number(port) }),
    useSSL: true,
    region,
    // Every S3 service has it, and a bucket with a dot in its name needs it for TLS.
    pathStyle: true,
    accessKey: accessKeyId,
    secretKey: secretAccessKey,
    ...(sessionToken !== null && { sessionToken }),
  }
}
