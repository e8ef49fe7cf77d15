import type { RequestHandler } from 'express'
import { ApiError } from '../api-error.ts'

/** Ends every method that a route does not have with 405 and the Allow header. */
export function allowOnly(...methods: string[]): RequestHandler {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  return () => {
    throw new ApiError('method_not_allowed', { headers: { Allow: allowed.join(', ') } })
  }
}
