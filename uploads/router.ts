import { Router, type NextFunction, type Request, type Response } from 'express'
import { hashUploadToken } from '../commands/uploads/create-upload.ts'
import { SourceWriteLostError } from '../db/ingest/source-writes.ts'
import { findUploadByToken } from '../db/uploads/upload-addresses.ts'
import type { UploadDetails } from '../db/uploads/uploads.ts'
import { ApiError } from '../http/api-error.ts'
import type { UploadDeps } from '../sources/complete-upload.ts'
import { UploadOffsetError } from './receive-upload.ts'
import { servePut } from './serve-put.ts'
import { serveTus, type TusDeps } from './serve-tus.ts'
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
export function uploadsRouter(deps: TusDeps): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const route = router.route('/uploads/:token')
  route.all(async (request: Request, response: Response, next: NextFunction) => {
    const upload = await findByToken(deps, String(request.params.token))
    allowOrigin(request, response, upload)
    if (upload === null) return respondNotFound(request, response)
    response.locals.upload = upload
    next()
  })
  route.put((request, response) => servePut(deps, uploadOf(response), request, response))
  for (const method of ['options', 'head', 'patch', 'delete'] as const)
    route[method]((request: Request, response: Response) =>
      serveTus(deps, uploadOf(response), request, response),
    )
  route.all(() => {
    throw new ApiError('method_not_allowed', { headers: { Allow: METHODS } })
  })
  router.use(toApiErrors)
  return router
}

async function findByToken({ db }: UploadDeps, token: string): Promise<UploadDetails | null> {
  const upload = TOKEN.test(token) ? await findUploadByToken(db, hashUploadToken(token)) : null
  const isOver = upload?.endedAt === null && upload.expiresAt < new Date()
  return isOver ? null : upload
}

/** A page sends its request, and can read that there is no such upload, only after a preflight that succeeds. */
function respondNotFound(request: Request, response: Response): void {
  const isPreflight =
    request.method === 'OPTIONS' && request.get('Access-Control-Request-Method') !== undefined
  if (!isPreflight) throw new ApiError('upload_not_found')
  response.status(204).end()
}

const uploadOf = (response: Response): UploadDetails => response.locals.upload as UploadDetails

/** Lets pages of the allowed origin read responses, and all pages that there is no upload. Throws for pages of another one. */
function allowOrigin(request: Request, response: Response, upload: UploadDetails | null): void {
  const allowedOrigin = upload?.allowedOrigin ?? null
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
