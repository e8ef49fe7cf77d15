import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { countAdmissions } from '../../db/api-keys.ts'
import type { RateLimits, RateUse } from '../../db/api-keys.ts'
import type { Scope } from '../../domain/scopes.ts'
import { hashApiKey, looksLikeApiKey } from '../../security/api-key.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'

/**
 * Accepts requests with `Authorization: Bearer <API_KEY>` whose key is within its rate limits (contract, "Limits").
 * One statement finds the key and counts the request. Sets the account id, the key's id and the scopes in
 * `response.locals`, and the RateLimit headers of the answer.
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
    // Answers are private to the holder of the key, and some carry a token or a secret.
    response.set('Cache-Control', 'private, no-store')
    if (!admission.isAdmitted)
      throw new ApiError('rate_limited', {
        headers: { 'Retry-After': String(retryAfterSeconds(rateLimits, admission)) },
      })
    response.locals.scopes = admission.scopes
    next()
  }
}

/** Accepts requests whose key carries `scope`. Must run after `authenticate`. */
export function requireScope(scope: Scope): RequestHandler {
  return (_request: Request, response: Response, next: NextFunction) => {
    const scopes: readonly Scope[] = response.locals.scopes
    if (!scopes.includes(scope))
      throw new ApiError('insufficient_scope', {
        message: `The API key does not carry the scope ${scope}.`,
        headers: challenge(`insufficient_scope", scope="${scope}`),
      })
    next()
  }
}

/** The account that the request's key belongs to. Must run after `authenticate`. */
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

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400

/** RateLimit-Policy and RateLimit of the IETF draft: the quotas, the remaining requests and the time of the reset. */
function rateLimitHeaders(limits: RateLimits, use: RateUse): Record<string, string> {
  const minute = leftOf(limits.perMinute, use.minuteCount)
  const day = leftOf(limits.perDay, use.dayCount)
  return {
    'RateLimit-Policy': `"minute";q=${limits.perMinute};w=${MINUTE_SECONDS}, "day";q=${limits.perDay};w=${DAY_SECONDS}`,
    RateLimit: `"minute";r=${minute};t=${use.minuteEndsInSeconds}, "day";r=${day};t=${use.dayEndsInSeconds}`,
  }
}

/** Seconds until every window that is used up has ended. */
function retryAfterSeconds(limits: RateLimits, use: RateUse): number {
  const waits = [
    use.minuteCount >= limits.perMinute ? use.minuteEndsInSeconds : 0,
    use.dayCount >= limits.perDay ? use.dayEndsInSeconds : 0,
  ]
  return Math.max(1, ...waits)
}

const leftOf = (quota: number, count: number): number => Math.max(0, quota - count)
