import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express'
import type { Logger } from 'pino'
import { z } from 'zod'
import { Refusal } from '../../commands/refusal.ts'
import { isDatabaseUnavailable } from '../../db/errors.ts'
import type { ErrorCode } from '../../domain/error-codes.ts'
import {
  BODY_RETRY_AFTER_SECONDS,
  BodyError,
  type BodyFault,
} from '../../processes/bodies/body-error.ts'
import { getRequestId } from '../../processes/request-log.ts'
import { ApiError, errorBody, refusalResponse, serviceUnavailable } from '../api-error.ts'
import type { OperationDeps } from '../deps.ts'

/** Responds to an error that a route threw with the error body (contract, "Errors"); details stay in the log. */
export function errorHandler({
  logger,
  apiBase,
}: Pick<OperationDeps, 'logger' | 'apiBase'>): ErrorRequestHandler {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const known = asApiError(error)
    logFailure(logger, error, getRequestId(response))
    if (response.headersSent) return void response.destroy()
    // Of an object whose change was rolled back.
    response.removeHeader('ETag')
    const reply = known ?? new ApiError('internal_error')
    response
      .set(reply.headers)
      .status(reply.status)
      .json(errorBody(reply, getRequestId(response), apiBase))
  }
}

const BODY_CODES: Record<BodyFault, ErrorCode> = {
  'entity.too.large': 'payload_too_large',
  'encoding.unsupported': 'unsupported_media_type',
  'request.aborted': 'invalid_request',
  'entity.encoding.failed': 'invalid_request',
  'body.too.slow': 'invalid_request',
  'share.used.up': 'rate_limited',
  'process.full': 'service_unavailable',
}

const BODY_HEADERS: Partial<Record<BodyFault, Record<string, string>>> = {
  'share.used.up': { 'Retry-After': String(BODY_RETRY_AFTER_SECONDS) },
  'process.full': { 'Retry-After': String(BODY_RETRY_AFTER_SECONDS) },
}

const bodyResponse = ({ type, message, status }: BodyError): ApiError =>
  new ApiError(BODY_CODES[type], { message, status, headers: BODY_HEADERS[type] ?? {} })

/** An error of Express. */
const withStatus = z.object({ status: z.number().optional().catch(undefined) })

/** Logs an error that is not the client's. */
export function logFailure(logger: Logger, error: unknown, requestId: string): void {
  const isKnown = asApiError(error) !== null
  if (isKnown && !isDatabaseUnavailable(error)) return
  logger[isKnown ? 'warn' : 'error']({ ...withoutValues(error), requestId }, 'request failed')
}

/** Returns the response to a known error; null for an internal error. */
export function asApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  if (error instanceof Refusal) return refusalResponse(error)
  if (isDatabaseUnavailable(error)) return serviceUnavailable()
  if (error instanceof BodyError) return bodyResponse(error)
  const { status } = withStatus.safeParse(error).data ?? {}
  if (status !== undefined && status >= 400 && status < 500)
    return new ApiError('invalid_request', { status })
  return null
}

/** Logs the place of an error without its message, because a database error quotes the values of a row. */
function withoutValues(error: unknown) {
  if (!(error instanceof Error)) return { name: typeof error }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  const code = 'code' in error ? error.code : undefined
  return { name: error.name, code, frames }
}
