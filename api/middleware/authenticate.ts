import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { countAdmissions } from '../../db/admissions.ts'
import type { Scope } from '../../domain/scopes.ts'
import { hashApiKey, looksLikeApiKey } from '../../security/api-key.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'
import { rateLimitHeaders, retryAfterSeconds } from './rate-limit-headers.ts'

/**
 * Lets a request through whose Authorization is `Bearer <API_KEY>` with a key that has not used up
 * its rate (spec, "Limits"); finding the key and counting the request is one statement. Leaves the
 * account id, the key's id and the scopes in `response.locals`, and the RateLimit headers on the answer.
 */
export function authenticate({
  db,
  rateLimits,
}: Pick<ApiDeps, 'db' | 'rateLimits'>): RequestHandler {
  const admit = countAdmissions(db, rateLimits)
  return async (request: Request, response: Response, next: NextFunction) => {
    const key = bearer(request.get('Authorization'))
    const admission = looksLikeApiKey(key) ? await admit(hashApiKey(key)) : null
    if (!admission) throw new ApiError('invalid_api_key', { headers: challenge('invalid_token') })
    response.locals.accountId = admission.accountId
    response.locals.keyId = admission.keyId
    response.set(rateLimitHeaders(rateLimits, admission))
    // An answer is for the holder of the key alone, and some carry a token or a secret.
    response.set('Cache-Control', 'private, no-store')
    if (!admission.isAdmitted)
      throw new ApiError('rate_limited', {
        headers: { 'Retry-After': String(retryAfterSeconds(rateLimits, admission)) },
      })
    response.locals.scopes = admission.scopes
    next()
  }
}

/** Lets a request through whose key carries `scope`; only behind `authenticate`. */
export function requireScope(scope: Scope): RequestHandler {
  return (_request: Request, response: Response, next: NextFunction) => {
    if (!(response.locals.scopes as Scope[]).includes(scope))
      throw new ApiError('insufficient_scope', {
        message: `The API key does not carry the scope ${scope}.`,
        headers: challenge(`insufficient_scope", scope="${scope}`),
      })
    next()
  }
}

/** The account that the request's key belongs to; only behind `authenticate`. */
export const accountIdOf = (response: Response): number => Number(response.locals.accountId)

function bearer(header: string | undefined): string {
  const [, key] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? []
  if (header === undefined || header === '')
    throw new ApiError('missing_api_key', { headers: { 'WWW-Authenticate': 'Bearer' } })
  return key ?? ''
}

const challenge = (error: string): Record<string, string> => ({
  'WWW-Authenticate': `Bearer error="${error}"`,
})
