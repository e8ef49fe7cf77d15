import { z } from 'zod'
import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express'
import type { Logger } from 'pino'
import { Refusal } from '../../commands/refusal.ts'
import { isDatabaseUnavailable } from '../../db/errors.ts'
import type { ErrorCode } from '../../domain/error-codes.ts'
import { requestIdOf } from '../../processes/request-log.ts'
import { ApiError, refusalAnswer, serviceUnavailable, errorBody } from '../api-error.ts'
import type { OperationDeps } from '../deps.ts'

/** Answers an error that a route threw with the error body (contract, "Errors"); details stay in the log. */
export function errorHandler({
  logger,
  apiBase,
}: Pick<OperationDeps, 'logger' | 'apiBase'>): ErrorRequestHandler {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const known = asApiError(error)
    logFailure(logger, error, requestIdOf(response))
    if (response.headersSent) return void response.destroy()
    const answer = known ?? new ApiError('internal_error')
    response
      .set(answer.headers)
      .status(answer.status)
      .json(errorBody(answer, requestIdOf(response), apiBase))
  }
}

/** Codes for the errors of Express and its body parser, by their `type`. */
const PARSER_ERRORS: Record<string, ErrorCode> = {
  'entity.parse.failed': 'invalid_json',
  'entity.verify.failed': 'invalid_json',
  'entity.too.large': 'payload_too_large',
  'encoding.unsupported': 'unsupported_media_type',
  'charset.unsupported': 'unsupported_media_type',
}

const parserError = z.object({
  type: z.string().optional().catch(undefined),
  status: z.number().optional().catch(undefined),
})

/** Logs an error that is not the client's. */
export function logFailure(logger: Logger, error: unknown, requestId: string): void {
  const isKnown = asApiError(error) !== null
  if (isKnown && !isDatabaseUnavailable(error)) return
  logger[isKnown ? 'warn' : 'error']({ ...withoutValues(error), requestId }, 'request failed')
}

/** Returns the answer to an error that is known; null for an internal error. */
export function asApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  if (error instanceof Refusal) return refusalAnswer(error)
  if (isDatabaseUnavailable(error)) return serviceUnavailable()
  const { type, status } = parserError.safeParse(error).data ?? {}
  const code = PARSER_ERRORS[type ?? '']
  if (code !== undefined) return new ApiError(code)
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
