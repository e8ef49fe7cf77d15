import type { NextFunction, Request, Response, RequestHandler } from 'express'
import { ApiError } from '../api-error.ts'

/**
 * Refuses requests that HTTP does not allow (RFC 9112, section 3.2; RFC 9110, section 10.1.1) and that Node would
 * answer without a body: HTTP/1.1 without Host, several Host headers, an Expect other than 100-continue. The server
 * must pass them to the app (`unreadable-requests.ts`).
 */
export function httpRules(request: Request, _response: Response, next: NextFunction): void {
  const hosts = countHosts(request)
  if (hosts > 1) throw new ApiError('invalid_request', { message: 'Send one Host header.' })
  if (hosts === 0 && request.httpVersion === '1.1')
    throw new ApiError('invalid_request', { message: 'The Host header is missing.' })
  const { expect } = request.headers
  if (expect !== undefined && !/^100-continue$/i.test(expect))
    throw new ApiError('invalid_request', {
      status: 417,
      message: 'The only Expect that is supported is 100-continue.',
    })
  next()
}

/** Counts in the raw headers, because Node keeps only the first of several Host headers. */
function countHosts({ rawHeaders }: Request): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1
  return count
}

/** Answers the methods that a route does not have with 405 and an Allow header. */
export function allowOnly(...methods: string[]): RequestHandler {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  return () => {
    throw new ApiError('method_not_allowed', { headers: { Allow: allowed.join(', ') } })
  }
}
