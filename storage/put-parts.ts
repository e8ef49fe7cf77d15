import type { Client } from 'minio'
import { PART_BYTES, returnPart, takePart } from './part-buffers.ts'

type Part = Awaited<ReturnType<Client['uploadPart']>>

interface Target {
  bucket: string
  key: string
  contentType: string
}

/**
 * Stores what `chunks` yields, as one request or as a multipart upload with one part in memory. It becomes visible
 * with its last request. The client's own upload of streams is not used: it continues an unfinished upload of the same
 * key, which may be that of another process, with other bytes.
 */
export async function putParts(
  client: Client,
  target: Target,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const { bucket, key, contentType } = target
  const headers = { 'Content-Type': contentType }
  const stored: Part[] = []
  let uploadId: string | null = null
  const put = async (body: Buffer): Promise<void> => {
    uploadId ??= await client.initiateNewMultipartUpload(bucket, key, headers)
    const at = { bucketName: bucket, objectName: key, uploadID: uploadId, headers: {} }
    stored.push(await client.uploadPart({ ...at, partNumber: stored.length + 1 }, body))
  }
  const complete = async (last: Buffer): Promise<void> => {
    if (uploadId === null)
      return void (await client.putObject(bucket, key, last, last.length, headers))
    if (last.length > 0) await put(last)
    await client.completeMultipartUpload(bucket, key, uploadId, stored)
  }
  try {
    await inParts(chunks, put, complete)
  } catch (error) {
    // The first error counts; what is left is removed with the prefix.
    if (uploadId !== null) await client.abortMultipartUpload(bucket, key, uploadId).catch(() => {})
    throw error
  }
}

/** A stream that waits for its next bytes has no more than this in memory, and no buffer of a part. */
const HELD_BYTES = 1 << 20

type Use = (bytes: Buffer) => Promise<void>

/** Calls `put` with each whole part of `chunks`, one after another, then `complete` with the rest. */
async function inParts(chunks: AsyncIterable<Buffer>, put: Use, complete: Use): Promise<void> {
  let part: Buffer | null = null
  let bytes = 0
  /** The bytes before a part is taken; small chunks come together. */
  let held: Buffer[] = []
  try {
    for await (const chunk of chunks) {
      for (let offset = 0; offset < chunk.length;) {
        const left = chunk.length - offset
        if (part === null && bytes + left <= HELD_BYTES) {
          held.push(Buffer.from(chunk.subarray(offset)))
          bytes += left
          break
        }
        if (part === null) {
          part = await takePart()
          Buffer.concat(held, bytes).copy(part)
          held = []
        }
        const copied: number = chunk.copy(part, bytes, offset)
        offset += copied
        bytes += copied
        if (bytes < PART_BYTES) continue
        await put(part)
        returnPart(part)
        part = null
        bytes = 0
      }
    }
    await complete(part?.subarray(0, bytes) ?? Buffer.concat(held, bytes))
  } finally {
    if (part) returnPart(part)
  }
}
