import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { ApiError } from '../http/api-error.ts'

/** Algorithms of `Upload-Checksum`, as tus names them; sha1 is required by it. */
export const CHECKSUMS = ['sha1', 'sha256'] as const

/** A body with a checksum is held in memory until it is checked: nothing of a wrong one may be stored. */
const CHECKED_MAX_BYTES = 16 << 20

/**
 * Returns the body of a PATCH. One with `Upload-Checksum` is read whole and compared (tus 1.0, "Checksum"): throws
 * with status 460 if it differs, 413 if it has more than 16 MiB, and 400 for an unknown algorithm.
 */
export async function checkedBody(request: IncomingMessage): Promise<Readable> {
  const header = request.headers['upload-checksum']
  if (header === undefined) return request
  const [algorithm = '', expected = ''] = String(header).split(' ')
  if (!CHECKSUMS.some((name) => name === algorithm))
    throw new ApiError('invalid_request', {
      message: `The checksum must be one of ${CHECKSUMS.join(', ')}.`,
    })
  const hash = createHash(algorithm)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > CHECKED_MAX_BYTES)
      throw new ApiError('payload_too_large', {
        message: 'A request with a checksum has at most 16 MiB. Send more of them.',
      })
    hash.update(chunk)
    chunks.push(chunk)
  }
  if (hash.digest('base64') !== expected)
    throw new ApiError('invalid_request', { status: 460, message: 'The checksum does not match.' })
  return Readable.from(chunks)
}
