import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Request, Response } from 'express'
import type { UploadDetails } from '../db/uploads/uploads.ts'
import { ApiError } from '../http/api-error.ts'
import { BodyError } from '../processes/bodies/body-error.ts'
import type { Bodies } from '../processes/bodies/read-body.ts'

/** Algorithms of `Upload-Checksum`, as tus names them; sha1 is required by it. */
export const CHECKSUMS = ['sha1', 'sha256'] as const

/** A body with a checksum is held in memory until it is checked: nothing of a wrong one may be stored. */
const CHECKED_MAX_BYTES = 16 << 20

/** One such body of an upload, and two of an account, at a time: an address that a page has could fill the memory otherwise. */
const UPLOAD_SHARE = 0.25
const ACCOUNT_SHARE = 0.5

/**
 * Returns the body of a PATCH. One with `Upload-Checksum` is read whole and compared (tus 1.0, "Checksum"): throws
 * with status 460 if it differs, 413 if it has more than 16 MiB, and 400 for an unknown algorithm; a BodyError if it is too slow or there is no memory for it.
 */
export async function checkedBody(
  bodies: Bodies,
  { id, accountId }: Pick<UploadDetails, 'id' | 'accountId'>,
  request: Request,
  response: Response,
): Promise<Readable> {
  const header = request.get('Upload-Checksum')
  if (header === undefined) return request
  const [algorithm = '', expected = ''] = header.split(' ')
  if (!CHECKSUMS.some((name) => name === algorithm))
    throw new ApiError('invalid_request', {
      message: `The checksum must be one of ${CHECKSUMS.join(', ')}.`,
    })
  const owners = [
    { name: `account:${accountId}`, share: ACCOUNT_SHARE },
    { name: `upload:${id}`, share: UPLOAD_SHARE },
  ]
  const body = await bodies
    .read(request, response, { maxBytes: CHECKED_MAX_BYTES, owners })
    .catch(withAdvice)
  const bytes = body ?? Buffer.alloc(0)
  if (createHash(algorithm).update(bytes).digest('base64') !== expected)
    throw new ApiError('invalid_request', { status: 460, message: 'The checksum does not match.' })
  return Readable.from([bytes])
}

function withAdvice(error: unknown): never {
  if (error instanceof BodyError && error.type === 'entity.too.large')
    throw new ApiError('payload_too_large', {
      message: 'A request with a checksum has at most 16 MiB. Send more of them.',
    })
  throw error
}
