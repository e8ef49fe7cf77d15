import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'

/** Returns a new id: `req_` and 32 characters of lowercase hex. */
export const newRequestId = (): string => `req_${crypto.randomUUID().replaceAll('-', '')}`

/** The form of a client's Request-Id that is logged. */
const CLIENT_REQUEST_ID = /^[\w.:-]{1,128}$/

/**
 * Gives every request an id, which the response carries as Request-Id, and logs one line at its end: id,
 * method, route pattern, status, duration, account and key if known, and the client's Request-Id if
 * any. Logs no path, query, header or body, because they may contain a token or a secret.
 */
export function logRequests(logger: Logger): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const requestId = newRequestId()
    const startedAtMs = performance.now()
    response.locals.requestId = requestId
    response.setHeader('Request-Id', requestId)
    response.once('close', () => {
      const { accountId, keyId }: { accountId?: number; keyId?: number } = response.locals
      const clientRequestId = request.headers['request-id']
      const isKept = typeof clientRequestId === 'string' && CLIENT_REQUEST_ID.test(clientRequestId)
      logger.info(
        {
          requestId,
          method: request.method,
          route: routeOf(request),
          // Null if the client disconnected before the response began.
          status: response.headersSent ? response.statusCode : null,
          durationMs: Math.round((performance.now() - startedAtMs) * 10) / 10,
          accountId,
          keyId,
          ...(isKept && { clientRequestId }),
          ...(!response.writableFinished && { isBrokenOff: true }),
        },
        'request',
      )
    })
    next()
  }
}

/** Returns the request id of a response; requires `logRequests`. */
export const requestIdOf = (response: Response): string => String(response.locals.requestId)

/** The route pattern, such as `/v1/videos/:id`; null if no route matched. */
const routeOf = ({ baseUrl, route }: Request): string | null => {
  const path: unknown = route?.path
  return typeof path === 'string' ? baseUrl + path : null
}
