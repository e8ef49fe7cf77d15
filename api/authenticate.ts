import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { findAccountKey } from '../db/accounts/api-keys.ts'
import { holdKey } from '../db/accounts/callers.ts'
import { countAdmissions, type RateLimits, type RateUse } from '../db/accounts/write-api-keys.ts'
import type { Database } from '../db/database.ts'
import type { CallerScope } from '../domain/accounts/roles.ts'
import { ApiError } from '../http/api-error.ts'
import type { Caller } from '../http/caller.ts'
import type { ApiDeps } from '../http/deps.ts'
import { hashApiKey, looksLikeApiKey } from '../security/api-key.ts'

/**
 * Accepts requests with `Authorization: Bearer <API_KEY>` whose key is within its rate limits (contract, "Limits").
 * One statement finds the key and counts the request. Sets the account id, the key's id and the scopes in
 * `response.locals`, and the RateLimit headers of the response.
 */
export function authenticate({
  db,
  rateLimits,
}: Pick<ApiDeps, 'db' | 'rateLimits'>): RequestHandler {
  const admit = countAdmissions(db, rateLimits)
  return async (request: Request, response: Response, next: NextFunction) => {
    const key = bearer(request.get('Authorization'))
    const admission = looksLikeApiKey(key) ? await admit(hashApiKey(key)) : null
    if (!admission) throw invalidKey()
    response.locals.recheckKey = request.complete
      ? async () => {}
      : () => requireKey(db, admission.accountId, admission.keyId)
    response.locals.accountId = admission.accountId
    response.locals.keyId = admission.keyId
    response.locals.keyName = admission.keyName
    response.set(rateLimitHeaders(rateLimits, admission))
    // Responses are private to the holder of the key, and some carry a token or a secret.
    response.set('Cache-Control', 'private, no-store')
    if (!admission.isAdmitted)
      throw new ApiError('rate_limited', {
        headers: { 'Retry-After': String(retryAfterSeconds(rateLimits, admission)) },
      })
    response.locals.scopes = admission.scopes
    next()
  }
}

/** The account and the scopes of the request's key. Must run after `authenticate`. */
export const keyCallerOf = (response: Response): Caller => ({
  accountId: Number(response.locals.accountId),
  actor: {
    kind: 'key',
    id: Number(response.locals.keyId),
    name: String(response.locals.keyName),
  },
  sessionId: null,
  requireScope(scope) {
    const scopes: readonly CallerScope[] = response.locals.scopes
    if (!scopes.includes(scope))
      throw new ApiError('insufficient_scope', {
        message: `The API key does not carry the scope ${scope}.`,
        headers: challenge(`insufficient_scope", scope="${scope}`),
      })
  },
  requireOperator() {
    throw new ApiError('route_not_found')
  },
  requireElevation() {
    throw new ApiError('reauthentication_required')
  },
  // Of a key only its revocation can change.
  async recheck() {
    const recheckKey: () => Promise<void> = response.locals.recheckKey
    await recheckKey()
  },
  async requireIn(tx) {
    if (!(await holdKey(tx, Number(response.locals.keyId)))) throw invalidKey()
  },
})

/**
 * Throws `invalid_api_key` if the key was revoked. Only for requests whose body was still to come when they were
 * admitted: the others keep to one statement (ADR 0009). A write looks again in its transaction.
 */
async function requireKey(db: Database, accountId: number, keyId: number): Promise<void> {
  const key = await findAccountKey(db.em.fork(), accountId, keyId)
  if (!key || key.revokedAt !== null) throw invalidKey()
}

const invalidKey = (): ApiError =>
  new ApiError('invalid_api_key', { headers: challenge('invalid_token') })

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
