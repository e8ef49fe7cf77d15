import { Router } from 'express'
import { ApiError } from '../../http/api-error.ts'
import { errorHandler } from '../../http/middleware/error-handler.ts'
import { httpRules } from '../../http/middleware/http-rules.ts'
import { mountOperations } from '../../http/mount.ts'
import type { Authentication } from './auth/authentication.ts'
import { callerOf } from './auth/member-caller.ts'
import { authenticateMember } from './middleware/authenticate-member.ts'
import { requireSameOrigin } from './middleware/same-origin.ts'
import { MOUNTED_OPERATIONS } from './operations.ts'

/**
 * /api/accounts/{account}: the operations of /v1 for the signed-in member, and the dashboard's own.
 * Errors have the body of the API.
 */
export function apiRouter(authentication: Authentication): Router {
  const router = Router({ caseSensitive: true })
  router.use(httpRules, requireSameOrigin(authentication.dashboardBase))
  router.use(
    '/accounts/:account',
    authenticateMember(authentication),
    mountOperations(authentication, MOUNTED_OPERATIONS, callerOf),
  )
  router.use((): never => {
    throw new ApiError('route_not_found')
  })
  router.use(errorHandler(authentication))
  return router
}
