import { stat } from 'node:fs/promises'
import { IncomingMessage, type IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { abortUploads } from './abort-uploads.ts'
import {
  assertKey,
  assertPrefix,
  assertRange,
  lengthOf,
  ObjectNotFoundError,
  RangeNotSatisfiableError,
  storageErrorCode,
  type ByteRange,
  type ListedObject,
  type ObjectStorage,
  type StoredObject,
} from './contract.ts'
import { objectDeleter, type DeleteObjects, type OnMissing } from './delete-objects.ts'
import { putParts } from './put-parts.ts'
import { readWithProgress } from './read-with-progress.ts'
import { S3Client, withRetries } from './s3-client.ts'
import { s3PartialObjects } from './s3-parts.ts'
import { S3_LIMITS, type S3Limits } from './s3-transport.ts'

export interface S3Config {
  /** http(s)://host[:port] of any S3 service. */
  endpoint: string
  region: string
  bucket: string
  accessKey: string
  secretKey: string
  /** True: https://host/bucket/key. False: https://bucket.host/key. */
  pathStyle: boolean
  /** The endpoint for browsers, used in presigned URLs; `endpoint` by default. */
  publicEndpoint?: string
}

const DELETE_BATCH = 1_000
/** No object has this key. */
const READINESS_KEY = 'readiness'

/** Stores objects in a bucket, which must exist (`ensureBucket`). */
export function createS3Storage(
  config: S3Config,
  limits?: S3Limits,
  onMissing: OnMissing = () => {},
): ObjectStorage {
  const client = createClient(config, limits)
  const { bucket } = config
  const deleteKeys = objectDeleter(client, bucket, onMissing)
  const endpoint = config.publicEndpoint ?? config.endpoint
  const publicClient = createClient({ ...config, endpoint })
  return {
    putFile: async (key, path, contentType, onProgress) => {
      assertKey(key)
      const { size } = await stat(path)
      const headers = { 'Content-Type': contentType }
      await client.putObject(bucket, key, readWithProgress(path, onProgress), size, headers)
    },
    putStream: async (key, chunks, contentType) => {
      assertKey(key)
      await putParts(client, { bucket, key, contentType }, chunks)
    },
    partial: s3PartialObjects(client, bucket),
    putBuffer: async (key, body, contentType) => {
      assertKey(key)
      await client.putObject(bucket, key, body, body.length, { 'Content-Type': contentType })
    },
    get: (key, range) => getObject(client, bucket, key, range),
    read: (key, maxBytes) =>
      withRetries(
        () => readObject(client, bucket, key, maxBytes),
        (error) => error instanceof CutOffError,
      ),
    presign: async (key, { ttlSeconds, signedAt }) => {
      assertKey(key)
      return publicClient.presignedGetObject(bucket, key, ttlSeconds, {}, signedAt)
    },
    stat: async (key) => {
      assertKey(key)
      const facts = await unlessMissing(client.statObject(bucket, key))
      return facts && { sizeBytes: facts.size, etag: facts.etag, modifiedAt: facts.lastModified }
    },
    list: (prefix) => {
      if (prefix !== '') assertPrefix(prefix)
      return listObjects(client, bucket, prefix)
    },
    listFolders: (prefix, page) => {
      assertPrefix(prefix)
      return listFolders(client, bucket, prefix, page)
    },
    deletePrefix: async (prefix, onProgress) => {
      assertPrefix(prefix)
      const count = await deleteListed(listObjects(client, bucket, prefix), deleteKeys, onProgress)
      await abortUploads(client, { bucket, prefix, onProgress })
      return count
    },
    removeUnfinished: (startedBefore, options) =>
      abortUploads(client, { bucket, prefix: '', startedBefore, ...options }),
    // Unlike HEAD, the response to GET says whether the object or its bucket is missing.
    check: async () => {
      const object = await unlessMissing(client.getObject(bucket, READINESS_KEY))
      object?.destroy()
    },
  }
}

/** Creates the bucket unless it exists; safe from two processes at the same time. */
export async function ensureBucket(config: S3Config): Promise<void> {
  const client = createClient(config)
  if (await client.bucketExists(config.bucket)) return
  try {
    await client.makeBucket(config.bucket, config.region)
  } catch (error) {
    if (storageErrorCode(error) !== 'BucketAlreadyOwnedByYou') throw error
  }
}

function createClient(config: S3Config, limits: S3Limits = S3_LIMITS): S3Client {
  const { endpoint, region, accessKey, secretKey, pathStyle } = config
  const { hostname, port, protocol } = new URL(endpoint)
  const useSSL = protocol === 'https:'
  // The client puts brackets around an IPv6 address itself.
  const endPoint = hostname.replaceAll(/[[\]]/g, '')
  const address = { endPoint, port: port ? Number(port) : useSSL ? 443 : 80, useSSL }
  return new S3Client({ ...address, region, accessKey, secretKey, pathStyle }, limits)
}

async function getObject(client: S3Client, bucket: string, key: string, range?: ByteRange) {
  assertKey(key)
  if (range) assertRange(range)
  try {
    const stream = range
      ? await client.getPartialObject(bucket, key, range.startByte, lengthOf(range))
      : await client.getObject(bucket, key)
    return { stream, sizeBytes: wholeSizeBytes(stream) }
  } catch (error) {
    if (isMissing(error)) throw new ObjectNotFoundError(key)
    if (storageErrorCode(error) === 'InvalidRange')
      throw new RangeNotSatisfiableError(`${key} is shorter`)
    throw error
  }
}

function wholeSizeBytes(stream: Readable): number {
  const headers = headersOf(stream)
  const total = /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]
  return Number(total ?? headers['content-length'])
}

/** The client returns the HTTP response as the stream; reading its headers saves a second request. */
function headersOf(stream: Readable): IncomingHttpHeaders {
  if (stream instanceof IncomingMessage) return stream.headers
  throw new Error('the S3 client did not return an HTTP response')
}

async function readObject(
  client: S3Client,
  bucket: string,
  key: string,
  maxBytes: number,
): Promise<StoredObject | null> {
  assertKey(key)
  const stream = await unlessMissing(client.getObject(bucket, key))
  if (!stream) return null
  const headers = headersOf(stream)
  const sizeBytes = wholeSizeBytes(stream)
  const etag = (headers.etag ?? '').replaceAll('"', '')
  if (sizeBytes > maxBytes) {
    stream.destroy()
    return { sizeBytes, etag, body: null }
  }
  const body = await buffer(stream).catch((cause: unknown) => {
    throw new CutOffError(`the body of ${key} broke off`, { cause })
  })
  return { sizeBytes, etag, body }
}

/** The response to a read began and did not end. */
class CutOffError extends Error {
  override name = 'CutOffError'
}

/** Without a name, the item is a folder. */
const itemSchema = z.object({
  name: z.string().optional(),
  size: z.number(),
  etag: z.string().default(''),
  lastModified: z.date().optional(),
})

const foldersSchema = z.object({
  objects: z.array(z.object({ prefix: z.string().optional() })),
  isTruncated: z.boolean(),
  nextContinuationToken: z.string(),
})

async function* listObjects(
  client: S3Client,
  bucket: string,
  prefix: string,
): AsyncGenerator<ListedObject> {
  for await (const item of client.listObjectsV2(bucket, prefix, true)) {
    const { name, size, etag, lastModified } = itemSchema.parse(item)
    // What is not stated counts as new.
    const modifiedAt = lastModified ?? new Date()
    if (name !== undefined) yield { key: name, sizeBytes: size, etag, modifiedAt }
  }
}

async function listFolders(
  client: S3Client,
  bucket: string,
  prefix: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  // `0` follows `/`: the list begins behind everything in the folder.
  const start = after === '' ? '' : `${prefix}${after}0`
  const names: string[] = []
  let token = ''
  do {
    const found = await client.listObjectsV2Query(bucket, prefix, token, '/', limit, start)
    const page = foldersSchema.parse(found)
    for (const { prefix: folder } of page.objects)
      if (folder !== undefined) names.push(folder.slice(prefix.length, -1))
    token = page.isTruncated ? page.nextContinuationToken : ''
  } while (token !== '' && names.length < limit)
  return names.slice(0, limit)
}

async function deleteListed(
  objects: AsyncIterable<ListedObject>,
  deleteKeys: DeleteObjects,
  onProgress?: () => void,
): Promise<number> {
  let count = 0
  let batch: string[] = []
  const flush = async () => {
    await deleteKeys(batch, onProgress)
    count += batch.length
    batch = []
  }
  for await (const { key } of objects) {
    batch.push(key)
    if (batch.length === DELETE_BATCH) await flush()
  }
  if (batch.length > 0) await flush()
  return count
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

const MISSING_CODES: readonly unknown[] = ['NoSuchKey', 'NotFound']
const isMissing = (error: unknown): boolean => MISSING_CODES.includes(storageErrorCode(error))
