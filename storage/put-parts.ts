import type { Client } from 'minio'
import { gatherParts } from './gather-parts.ts'
import { abortParts, beginParts, joinParts, putPart, type Part, type Target } from './s3-parts.ts'

/**
 * Stores what `chunks` yields, as one request or as a multipart upload with two parts in memory. It becomes visible
 * with its last request. The client's own upload of streams is not used: it continues an unfinished upload of the same
 * key, which may be that of another process, with other bytes.
 */
export async function putParts(
  client: Client,
  target: Target & { contentType: string },
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const { bucket, key, contentType } = target
  const stored: Part[] = []
  let uploadId: string | null = null
  const put = async (body: Buffer): Promise<void> => {
    uploadId ??= await beginParts(client, target, contentType)
    const number = stored.length + 1
    stored.push({ number, etag: await putPart(client, target, { uploadId, number }, body) })
  }
  const parts = gatherParts(put)
  try {
    for await (const chunk of chunks) await parts.add([chunk])
    const last = await parts.rest()
    if (uploadId === null) {
      await client.putObject(bucket, key, last, last.length, { 'Content-Type': contentType })
      return
    }
    if (last.length > 0) await put(last)
    await joinParts(client, target, uploadId, stored)
  } catch (error) {
    await parts.end()
    // The first error counts; what is left is removed with the prefix.
    if (uploadId !== null) await abortParts(client, target, uploadId).catch(() => {})
    throw error
  } finally {
    await parts.end()
  }
}
