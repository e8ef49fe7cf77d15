import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { findRole } from '../../../db/members/members.ts'
import { parseIntegerId } from '../../../domain/row-id.ts'
import { ApiError, orNotFound } from '../../../http/api-error.ts'
import {
  ipOf,
  readSession,
  type Authentication,
  type RequestSession,
} from '../auth/authentication.ts'
import { MemberCaller } from '../auth/member-caller.ts'
import { openRequestLimit } from './request-limit.ts'

/**
 * Finds the session of a request and the member's role in the account of the address. Throws
 * `not_signed_in`, `other_member`, `account_not_found` for an account that does not exist or is not the member's, and `rate_limited`.
 */
export function authenticateMember(authentication: Authentication): RequestHandler {
  const { db } = authentication
  const limit = openRequestLimit(authentication.requestLimits)
  return async (request: Request, response: Response, next: NextFunction) => {
    const session = await readSession(authentication, request)
    if (!session) throw new ApiError('not_signed_in')
    requireExpected(request, session)
    await limit.countMember(session.memberId)
    const accountId = orNotFound(
      parseIntegerId(String(request.params.account)),
      'account_not_found',
    )
    const found = await findRole(db.em.fork(), accountId, session.memberId)
    const role = orNotFound(found, 'account_not_found')
    await limit.countAccount(accountId)
    // For the request log.
    response.locals.accountId = accountId
    const caller = { accountId, role, session, ip: ipOf(request), response }
    response.locals.caller = new MemberCaller(authentication, caller)
    next()
  }
}

/** Refuses a request of a page that was opened for another member: an old tab does nothing in the name of the new one. */
function requireExpected(request: Request, { memberId, email }: RequestSession): void {
  const expected = request.get('Reelgate-Member')
  if (expected === undefined || expected === String(memberId)) return
  throw new ApiError('other_member', { current: { email } })
}
