import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { findApiKey } from '../../db/accounts.ts'
import type { Scope } from '../../domain/scopes.ts'
import { hashApiKey, looksLikeApiKey } from '../../security/api-key.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'

/**
 * Lets a request through whose Authorization is `Bearer <API_KEY>` with a key that carries `scope`,
 * and leaves its account id in `response.locals.accountId`.
 */
export function requireScope({ db }: Pick<ApiDeps, 'db'>, scope: Scope): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction) => {
    const key = bearer(request.get('Authorization'))
    const found = looksLikeApiKey(key) ? await findApiKey(db.em.fork(), hashApiKey(key)) : null
    if (!found) throw new ApiError('invalid_api_key', { headers: challenge('invalid_token') })
    if (!found.scopes.includes(scope))
      throw new ApiError('insufficient_scope', {
        message: `The API key does not carry the scope ${scope}.`,
        headers: challenge(`insufficient_scope", scope="${scope}`),
      })
    response.locals.accountId = found.accountId
    next()
  }
}

/** The account that the request's key belongs to; only behind `requireScope`. */
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
