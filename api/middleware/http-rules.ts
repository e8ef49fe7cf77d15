import type { NextFunction, Request, Response } from 'express'
import { ApiError } from '../api-error.ts'

/**
 * Refuses requests that HTTP itself does not allow (RFC 9112, section 3.2; RFC 9110, section 10.1.1) and
 * that Node would answer without a body: HTTP/1.1 without Host, several Host headers, an Expect other
 * than 100-continue. The server must let them reach the app (`unreadable-requests.ts`).
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
      message: 'The only Expect that is understood is 100-continue.',
    })
  next()
}

/** Node keeps the first of several and drops the others. */
function countHosts({ rawHeaders }: Request): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1
  return count
}
