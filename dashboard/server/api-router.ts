import { Router } from 'express'
import { ApiError } from '../../api/api-error.ts'
import { errorHandler } from '../../api/middleware/error-handler.ts'
import { mountOperations } from '../../api/mount.ts'
import { OPERATIONS } from '../../api/operations.ts'
import type { Authentication } from './auth/authentication.ts'
import { callerOf } from './auth/member-caller.ts'
import { authenticateMember } from './middleware/authenticate-member.ts'
import { requireSameOrigin } from './middleware/same-origin.ts'
import { DASHBOARD_OPERATIONS } from './operations.ts'

/** The dashboard has its own list of videos, and deletes videos without an event. */
const REPLACED = ['listVideos', 'deleteVideo']

/** The operations that the dashboard shares with the API. */
export const SHARED_OPERATIONS = OPERATIONS.filter(({ id }) => !REPLACED.includes(id))

/**
 * /api/accounts/{account}: the operations of /v1 for the signed-in member, and the dashboard's own.
 * Errors have the body of the API.
 */
export function apiRouter(authentication: Authentication): Router {
  const router = Router({ caseSensitive: true })
  router.use(requireSameOrigin(authentication.dashboardBase))
  router.use(
    '/accounts/:account',
    authenticateMember(authentication),
    mountOperations(authentication, SHARED_OPERATIONS, callerOf),
    mountOperations(authentication, DASHBOARD_OPERATIONS, callerOf),
  )
  router.use((): never => {
    throw new ApiError('route_not_found')
  })
  router.use(errorHandler(authentication))
  return router
}
