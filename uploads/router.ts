import { Readable } from 'node:stream'
import { Server } from '@tus/server'
import { Router, type NextFunction, type Request, type Response } from 'express'
import { hashUploadToken } from '../commands/uploads/create-upload.ts'
import { SourceWriteLostError } from '../db/ingest/source-writes.ts'
import { findUploadByToken, type UploadDetails } from '../db/uploads/uploads.ts'
import type { ErrorCode } from '../domain/error-codes.ts'
import { SOURCE_MAX_BYTES } from '../domain/limits.ts'
import { ApiError } from '../http/api-error.ts'
import { continueIfExpected } from '../processes/bodies/expectations.ts'
import { checkedBody, CHECKSUMS } from './checksum.ts'
import { receiveUpload, UploadOffsetError, type UploadDeps } from './receive-upload.ts'
import { TusStore } from './tus-store.ts'
import { IdleBodyError, LongBodyError } from './upload-body.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/
const METHODS = 'OPTIONS, HEAD, PATCH, PUT, DELETE'
/** Those that a client may send to browsers' pages of another origin. */
const REQUEST_HEADERS =
  'Content-Type, Content-Range, Tus-Resumable, Upload-Checksum, Upload-Defer-Length, Upload-Length, Upload-Offset'
const RESPONSE_HEADERS =
  'Request-Id, Tus-Extension, Tus-Resumable, Tus-Version, Upload-Expires, Upload-Length, Upload-Offset'

/**
 * The addresses of uploads: tus 1.0, and one PUT for scripts. Only the secret in the path says which upload a request is of. Pages
 * may send from the origin that the upload allows.
 */
export function uploadsRouter(deps: UploadDeps): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const route = router.route('/uploads/:token')
  route.all(async (request: Request, response: Response, next: NextFunction) => {
    const upload = await findByToken(deps, String(request.params.token))
    allowOrigin(request, response, upload)
    response.locals.upload = upload
    next()
  })
  route.put((request, response) => put(deps, request, response))
  for (const method of ['options', 'head', 'patch', 'delete'] as const)
    route[method]((request: Request, response: Response) => serveTus(deps, request, response))
  route.all(() => {
    throw new ApiError('method_not_allowed', { headers: { Allow: METHODS } })
  })
  router.use(toApiErrors)
  return router
}

async function findByToken({ db }: UploadDeps, token: string): Promise<UploadDetails> {
  const upload = TOKEN.test(token)
    ? await findUploadByToken(db.em.fork(), hashUploadToken(token))
    : null
  const isOver = upload?.endedAt === null && upload.expiresAt < new Date()
  if (!upload || isOver) throw new ApiError('upload_not_found')
  return upload
}

const uploadOf = (response: Response): UploadDetails => response.locals.upload as UploadDetails

/** Lets pages of the allowed origin read responses. Throws for pages of another one. */
function allowOrigin(request: Request, response: Response, { allowedOrigin }: UploadDetails): void {
  response.vary('Origin')
  response.set({ 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'cross-origin' })
  const origin = request.get('Origin')
  if (origin === undefined) return
  if (allowedOrigin !== null && origin !== allowedOrigin)
    throw new ApiError('upload_origin_not_allowed')
  response.set({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': REQUEST_HEADERS,
    'Access-Control-Expose-Headers': RESPONSE_HEADERS,
    'Access-Control-Max-Age': '600',
  })
}

/** tus 1.0, sections "OPTIONS", "HEAD", "PATCH", "Termination" and "Checksum". */
async function serveTus(deps: UploadDeps, request: Request, response: Response): Promise<void> {
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
  const upload = await completedIfStored(deps, uploadOf(response))
  if (upload.status === 'complete') return respondComplete(request, response, upload)
  response.set('Upload-Expires', upload.expiresAt.toUTCString())
  const store = new TusStore(deps, upload, lengthOf(request))
  const server = new Server({
    path: '/uploads',
    datastore: store,
    // The writer of the source in PostgreSQL is the lock, for all processes.
    locker: { newLock: () => ({ lock: async () => {}, unlock: async () => {} }) },
    maxSize: SOURCE_MAX_BYTES,
    getFileIdFromRequest: () => String(upload.id),
  })
  const reply = await server.handleWeb(await toWebRequest(request, response))
  if (store.failure !== undefined) throw store.failure
  if (reply.status >= 400) throw tusError(reply.status, await reply.text())
  for (const name of ['Upload-Offset', 'Upload-Length', 'Upload-Defer-Length']) {
    const value = reply.headers.get(name)
    if (value !== null) response.set(name, value)
  }
  response.status(reply.status).end()
}

/**
 * Makes the video of an upload of which all bytes are stored: its process was killed before, and its client, which may read
 * only how many are stored, sends no more.
 */
async function completedIfStored(deps: UploadDeps, upload: UploadDetails): Promise<UploadDetails> {
  const { status, offsetBytes, sizeBytes } = upload
  if (status !== 'uploading' || sizeBytes === null || offsetBytes < sizeBytes) return upload
  const nothing = { body: Readable.from([]), startByte: sizeBytes, sizeBytes: null, bodyBytes: 0 }
  await receiveUpload(deps, upload, nothing)
  return { ...upload, status: 'complete' }
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

async function toWebRequest(request: Request, response: Response): Promise<globalThis.Request> {
  const { method } = request
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string') headers.set(name, value)
  if (method !== 'PATCH')
    return new globalThis.Request('http://upload.invalid/uploads/1', { method, headers })
  continueIfExpected(request, response)
  const body = await checkedBody(request)
  return new globalThis.Request('http://upload.invalid/uploads/1', {
    method,
    headers,
    body: Readable.toWeb(body) as ReadableStream<Uint8Array>,
    duplex: 'half',
  } as RequestInit)
}

const RANGE = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/

/**
 * Takes the whole file, or with `Content-Range: bytes FIRST-LAST/SIZE` what is missing of it, as `curl -C -` sends it. Responds with the
 * upload's progress.
 */
async function put(deps: UploadDeps, request: Request, response: Response): Promise<void> {
  const upload = uploadOf(response)
  if (upload.status === 'complete') return respondStored(response, upload, upload.offsetBytes)
  const bodyBytes = lengthOf(request)
  const range = request.get('Content-Range')
  const [, first, total] = RANGE.exec(range ?? '') ?? []
  if (range !== undefined && first === undefined)
    throw new ApiError('invalid_request', {
      message: 'The Content-Range must be bytes FIRST-LAST/SIZE.',
    })
  const startByte = Number(first ?? 0)
  const sizeBytes = total === undefined || total === '*' ? null : Number(total)
  const whole = range === undefined ? bodyBytes : sizeBytes
  if (upload.sizeBytes !== null && whole !== null && whole !== upload.sizeBytes)
    throw new ApiError('upload_size_mismatch')
  continueIfExpected(request, response)
  const offset = await receiveUpload(deps, upload, {
    body: request,
    startByte,
    sizeBytes: whole,
    bodyBytes,
  })
  const isComplete = offset === (upload.sizeBytes ?? whole)
  respondStored(response, isComplete ? { ...upload, status: 'complete' } : upload, offset)
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

/** The length of a body; null if the client does not say it. */
function lengthOf(request: Request): number | null {
  const length = request.get('Content-Length')
  return length === undefined || request.get('Transfer-Encoding') !== undefined
    ? null
    : Number(length)
}

/** Gives the errors of writers their codes; a client that is gone gets none. */
function toApiErrors(
  error: unknown,
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  // What is still to come of the body is not read.
  if (!request.complete) response.set('Connection', 'close')
  if (error instanceof UploadOffsetError) {
    response.set('Upload-Offset', String(error.offsetBytes))
    return next(new ApiError('upload_offset_mismatch', { message: error.message }))
  }
  if (error instanceof SourceWriteLostError) return next(new ApiError('upload_taken_over'))
  if (error instanceof LongBodyError) return next(new ApiError('payload_too_large'))
  if (error instanceof IdleBodyError)
    return next(
      new ApiError('invalid_request', {
        status: 408,
        message: 'The client sent nothing for a minute.',
      }),
    )
  next(error)
}
