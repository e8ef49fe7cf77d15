import { Readable } from 'node:stream'
import type { Request, Response } from 'express'
import type { UploadDetails } from '../db/uploads/uploads.ts'
import { ApiError } from '../http/api-error.ts'
import { continueIfExpected } from '../processes/bodies/expectations.ts'
import type { UploadDeps } from '../sources/complete-upload.ts'
import { bodyLengthOf } from './body-length.ts'
import { receiveUpload } from './receive-upload.ts'

const RANGE = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/

/**
 * Takes the whole file, or with `Content-Range: bytes FIRST-LAST/SIZE` what is missing of it, as `curl -C -` sends it. Responds with the
 * upload's progress.
 */
export async function servePut(
  deps: UploadDeps,
  upload: UploadDetails,
  request: Request,
  response: Response,
): Promise<void> {
  if (upload.status === 'complete') return respondStored(response, upload, upload.offsetBytes)
  const bodyBytes = bodyLengthOf(request)
  const { startByte, sizeBytes } = readRange(request.get('Content-Range')) ?? {
    startByte: 0,
    sizeBytes: bodyBytes,
  }
  if (upload.sizeBytes !== null && sizeBytes !== null && sizeBytes !== upload.sizeBytes)
    throw new ApiError('upload_size_mismatch')
  continueIfExpected(request, response)
  const arriving = { body: request, startByte, sizeBytes, bodyBytes }
  const offset = await receiveUpload(deps, upload, arriving)
  // The end of a body without a length is that of the file.
  const endsFile = request.get('Content-Range') === undefined && bodyBytes === null
  if (endsFile && upload.sizeBytes === null) await endAt(deps, upload, offset)
  const isComplete = offset === (upload.sizeBytes ?? sizeBytes ?? (endsFile ? offset : null))
  respondStored(response, isComplete ? { ...upload, status: 'complete' } : upload, offset)
}

const endAt = (deps: UploadDeps, upload: UploadDetails, sizeBytes: number): Promise<number> =>
  receiveUpload(deps, upload, {
    body: Readable.from([]),
    startByte: sizeBytes,
    sizeBytes,
    bodyBytes: 0,
  })

/** Reads a Content-Range; null without one. Throws for one of another form. */
function readRange(
  header: string | undefined,
): { startByte: number; sizeBytes: number | null } | null {
  if (header === undefined) return null
  const [, first, total] = RANGE.exec(header) ?? []
  if (first === undefined)
    throw new ApiError('invalid_request', {
      message: 'The Content-Range must be bytes FIRST-LAST/SIZE.',
    })
  return { startByte: Number(first), sizeBytes: total === '*' ? null : Number(total) }
}

function respondStored(
  response: Response,
  { status, videoId }: UploadDetails,
  offsetBytes: number,
): void {
  const isComplete = status === 'complete'
  response
    .status(isComplete ? 201 : 200)
    .set('Upload-Offset', String(offsetBytes))
    .json({
      object: 'upload_progress',
      offset_bytes: offsetBytes,
      video_id: isComplete ? videoId : null,
    })
}
