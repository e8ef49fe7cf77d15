import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { headFaultOf } from '../../processes/head-rules.ts'
import { ApiError } from '../api-error.ts'

/** Refuses requests whose head HTTP does not allow (`headFaultOf`), and closes their connection. */
export function httpRules(request: Request, _response: Response, next: NextFunction): void {
  const fault = headFaultOf(request)
  if (fault) throw new ApiError('invalid_request', { ...fault, headers: { Connection: 'close' } })
  next()
}

/** Responds with 405 and an Allow header to the methods that a route does not have. */
export function allowOnly(...methods: string[]): RequestHandler {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  return () => {
    throw new ApiError('method_not_allowed', { headers: { Allow: allowed.join(', ') } })
  }
}
