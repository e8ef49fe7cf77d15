import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express'
import { Refusal } from '../../commands/refusal.ts'
import { isDatabaseAway } from '../../db/deadlines.ts'
import type { ErrorCode } from '../../domain/error-codes.ts'
import { requestIdOf } from '../../processes/request-log.ts'
import { ApiError, refusalAnswer, serviceUnavailable } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'
import { errorBody } from '../error-body.ts'

/** Turns whatever a route threw into the error body of design.md, section 7; details stay in the log. */
export function errorHandler({
  logger,
  apiBase,
}: Pick<ApiDeps, 'logger' | 'apiBase'>): ErrorRequestHandler {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const known = asApiError(error)
    if (!known || isDatabaseAway(error))
      logger[known ? 'warn' : 'error'](
        { ...withoutValues(error), requestId: requestIdOf(response) },
        'request failed',
      )
    if (response.headersSent) return void response.destroy()
    const answer = known ?? new ApiError('internal_error')
    response
      .set(answer.headers)
      .status(answer.status)
      .json(errorBody(answer, requestIdOf(response), apiBase))
  }
}

/** What Express and its body parser throw, by their `type`. */
const PARSER_ERRORS: Record<string, ErrorCode> = {
  'entity.parse.failed': 'invalid_json',
  'entity.verify.failed': 'invalid_json',
  'entity.too.large': 'payload_too_large',
  'encoding.unsupported': 'unsupported_media_type',
  'charset.unsupported': 'unsupported_media_type',
}

function asApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  if (error instanceof Refusal) return refusalAnswer(error)
  const { type, status } = (error ?? {}) as { type?: unknown; status?: unknown }
  if (isDatabaseAway(error)) return serviceUnavailable()
  const code = typeof type === 'string' ? PARSER_ERRORS[type] : undefined
  if (code !== undefined) return new ApiError(code)
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new ApiError('invalid_request', { status })
  return null
}

/** A database error quotes the values of its row in its message: the log gets the place alone. */
function withoutValues(error: unknown) {
  if (!(error instanceof Error)) return { name: typeof error }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  const { code } = error as NodeJS.ErrnoException
  return { name: error.name, code, frames }
}
