import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'

/** A fresh id: `req_` and 32 characters of lowercase hex. */
export const newRequestId = (): string => `req_${crypto.randomUUID().replaceAll('-', '')}`

/** A client's own id, as far as it is kept. */
const CLIENT_REQUEST_ID = /^[\w.:-]{1,128}$/

/**
 * Gives every request an id of ours, in the Request-Id header of every answer, and writes one line
 * about it when it is over: id, method, route pattern, status, duration, account and key where they
 * are known, and the Request-Id that the client sent, if any. No path, no query, no header and no body:
 * any of them may hold a token or a secret.
 */
export function logRequests(logger: Logger): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const requestId = newRequestId()
    const startedAtMs = performance.now()
    response.locals.requestId = requestId
    response.setHeader('Request-Id', requestId)
    response.once('close', () => {
      const { accountId, keyId } = response.locals as { accountId?: number; keyId?: number }
      const clientRequestId = request.headers['request-id']
      const isKept = typeof clientRequestId === 'string' && CLIENT_REQUEST_ID.test(clientRequestId)
      logger.info(
        {
          requestId,
          method: request.method,
          route: routeOf(request),
          // Null: the client went away before the answer began.
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

/** The id of the request that a response answers; only behind `logRequests`. */
export const requestIdOf = (response: Response): string => String(response.locals.requestId)

/** Such as `/v1/videos/:id`; null where no route matched. */
const routeOf = ({ baseUrl, route }: Request): string | null => {
  const { path } = (route ?? {}) as { path?: unknown }
  return typeof path === 'string' ? baseUrl + path : null
}
