import type { Client } from 'minio'

type Part = Awaited<ReturnType<Client['uploadPart']>>

interface Target {
  bucket: string
  key: string
  contentType: string
}

/** Of every part but the last. S3 allows 10,000 parts, so objects of 156 GiB. */
const PART_BYTES = 16 << 20

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
  const parts = inParts(chunks)
  const first = await parts.next()
  const body = first.value ?? Buffer.alloc(0)
  const headers = { 'Content-Type': contentType }
  if (body.length < PART_BYTES) {
    await client.putObject(bucket, key, body, body.length, headers)
    return
  }
  const uploadId = await client.initiateNewMultipartUpload(bucket, key, headers)
  try {
    const stored: Part[] = []
    const put = async (part: Buffer): Promise<void> => {
      const at = { bucketName: bucket, objectName: key, uploadID: uploadId, headers: {} }
      const partNumber = stored.length + 1
      stored.push(await client.uploadPart({ ...at, partNumber }, part))
    }
    await put(body)
    for await (const part of parts) await put(part)
    await client.completeMultipartUpload(bucket, key, uploadId, stored)
  } catch (error) {
    // The first error counts; what is left is removed with the prefix.
    await client.abortMultipartUpload(bucket, key, uploadId).catch(() => {})
    throw error
  }
}

async function* inParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    bytes += chunk.length
    while (bytes >= PART_BYTES) {
      const all = Buffer.concat(held, bytes)
      yield all.subarray(0, PART_BYTES)
      held = [all.subarray(PART_BYTES)]
      bytes -= PART_BYTES
    }
  }
  if (bytes > 0) yield Buffer.concat(held, bytes)
}
