import { Readable } from 'node:stream'
import { Server } from '@tus/server'
import type { Request, Response } from 'express'
import type { UploadDetails } from '../db/uploads/uploads.ts'
import type { ErrorCode } from '../domain/error-codes.ts'
import { SOURCE_MAX_BYTES } from '../domain/limits.ts'
import { ApiError } from '../http/api-error.ts'
import { continueIfExpected } from '../processes/bodies/expectations.ts'
import type { Bodies } from '../processes/bodies/read-body.ts'
import { completeIfStored, type UploadDeps } from '../sources/complete-upload.ts'
import { bodyLengthOf } from './body-length.ts'
import { checkedBody, CHECKSUMS } from './checksum.ts'
import { UploadOffsetError } from './receive-upload.ts'
import { TusStore, type TusBody } from './tus-store.ts'

/** What requests of tus need. */
export interface TusDeps extends UploadDeps {
  bodies: Bodies
}

/** tus 1.0, sections "OPTIONS", "HEAD", "PATCH", "Termination" and "Checksum". */
export async function serveTus(
  deps: TusDeps,
  found: UploadDetails,
  request: Request,
  response: Response,
): Promise<void> {
  response.set({ 'Tus-Resumable': '1.0.0' })
  if (request.method === 'OPTIONS') {
    response.set({
      'Tus-Version': '1.0.0',
      'Tus-Extension': 'creation-defer-length,termination,expiration,checksum',
      'Tus-Max-Size': String(SOURCE_MAX_BYTES),
      'Tus-Checksum-Algorithm': CHECKSUMS.join(','),
    })
    return void response.status(204).end()
  }
  // Its client, which may read only how many bytes are stored, sends no more.
  const isCompleted = await completeIfStored(deps, found)
  const upload: UploadDetails = isCompleted ? { ...found, status: 'complete' } : found
  if (upload.status === 'complete') return respondComplete(request, response, upload)
  response.set('Upload-Expires', upload.expiresAt.toUTCString())
  const store = new TusStore(deps, upload, await bodyOf(deps, upload, request, response))
  const server = new Server({
    path: '/uploads',
    datastore: store,
    // The writer of the source in PostgreSQL is the lock, for all processes.
    locker: { newLock: () => ({ lock: async () => {}, unlock: async () => {} }) },
    maxSize: SOURCE_MAX_BYTES,
    getFileIdFromRequest: () => String(upload.id),
  })
  const reply = await server.handleWeb(withoutBody(request))
  if (store.failure !== undefined) throw store.failure
  if (reply.status >= 400) throw tusError(reply.status, await reply.text())
  for (const name of ['Upload-Offset', 'Upload-Length', 'Upload-Defer-Length']) {
    const value = reply.headers.get(name)
    if (value !== null) response.set(name, value)
  }
  response.status(reply.status).end()
}

/** A client whose last response was lost asks how far its upload is, or sends its last bytes again. */
function respondComplete(
  request: Request,
  response: Response,
  { offsetBytes }: UploadDetails,
): void {
  if (request.method === 'DELETE') throw new ApiError('upload_ended')
  const isBehind =
    request.method === 'PATCH' && request.get('Upload-Offset') !== String(offsetBytes)
  if (isBehind) throw new UploadOffsetError(offsetBytes)
  response
    .set({ 'Upload-Offset': String(offsetBytes), 'Upload-Length': String(offsetBytes) })
    .status(request.method === 'HEAD' ? 200 : 204)
    .end()
}

const TUS_CODES: Record<number, ErrorCode> = {
  409: 'upload_offset_mismatch',
  413: 'payload_too_large',
}

const tusError = (status: number, text: string): ApiError =>
  new ApiError(TUS_CODES[status] ?? 'invalid_request', { status, message: text.trim() })

async function bodyOf(
  { bodies }: TusDeps,
  upload: UploadDetails,
  request: Request,
  response: Response,
): Promise<TusBody> {
  if (request.method !== 'PATCH') return { body: Readable.from([]), bodyBytes: 0 }
  const body = await checkedBody(bodies, upload, request, response)
  continueIfExpected(request, response)
  return { body, bodyBytes: bodyLengthOf(request) }
}

/** The request as the tus server checks it. The store has the body: the server would copy each chunk of it twice. */
function withoutBody({ method, headers }: Request): globalThis.Request {
  const read = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string') read.set(name, value)
  return new globalThis.Request('http://upload.invalid/uploads/1', { method, headers: read })
}
