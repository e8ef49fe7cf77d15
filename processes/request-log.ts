import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import { countRequest, type EndedRequest } from '../metrics/http.ts'
import { endRequestSpan, startRequestSpan } from '../tracing/spans.ts'

/** Returns a new id: `req_` and 32 characters of lowercase hex. */
export const newRequestId = (): string => `req_${crypto.randomUUID().replaceAll('-', '')}`

/** The form of a client's Request-Id that is logged. */
const CLIENT_REQUEST_ID = /^[\w.:-]{1,128}$/

/**
 * Gives every request an id, which the response carries as Request-Id, counts and traces it, and logs one line at its end: id,
 * method, route pattern, status, duration, account and key if known, and the client's Request-Id if
 * any. Logs no path, query, header or body, because they may contain a token or a secret.
 */
export function logRequests(logger: Logger): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const requestId = newRequestId()
    const startedAtMs = performance.now()
    response.locals.requestId = requestId
    response.setHeader('Request-Id', requestId)
    const span = startRequestSpan(requestId, request.method)
    response.once('close', () => {
      const ended = toEndedRequest(request, response, startedAtMs)
      countRequest(ended)
      const { accountId }: RequestLocals = response.locals
      endRequestSpan(span, { ...ended, accountId })
      logger.info(lineOf(request, response, ended), 'request')
    })
    next()
  }
}

const toEndedRequest = (
  request: Request,
  response: Response,
  startedAtMs: number,
): EndedRequest => {
  const { operationId }: RequestLocals = response.locals
  return {
    method: request.method,
    operationId,
    routePattern: patternOf(request),
    status: response.headersSent ? response.statusCode : null,
    durationMs: performance.now() - startedAtMs,
  }
}

function lineOf(
  { headers, baseUrl }: Request,
  response: Response,
  { method, routePattern, status, durationMs }: EndedRequest,
) {
  const { requestId, accountId, keyId }: RequestLocals = response.locals
  const clientRequestId = headers['request-id']
  const isKept = typeof clientRequestId === 'string' && CLIENT_REQUEST_ID.test(clientRequestId)
  return {
    requestId,
    method,
    route: routePattern === null ? null : baseUrl + routePattern,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    accountId,
    keyId,
    ...(isKept && { clientRequestId }),
    ...(!response.writableFinished && { isBrokenOff: true }),
  }
}

/** Returns the request id of a response; requires `logRequests`. */
export const getRequestId = (response: Response): string => String(response.locals.requestId)

/** What the handlers of a request leave for its end. */
interface RequestLocals {
  requestId?: string
  accountId?: number
  keyId?: number
  /** Set by `setOperationId`. */
  operationId?: string
}

/** Records which operation of the OpenAPI document a request calls. */
export const setOperationId = (response: Response, operationId: string): void =>
  void (response.locals.operationId = operationId)

/** The route pattern within its router, such as `/videos/:id`; null if no route matched. */
const patternOf = ({ route }: Request): string | null => {
  const path: unknown = route?.path
  return typeof path === 'string' ? path : null
}
