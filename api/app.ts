import express, { type Express } from 'express'
import helmet from 'helmet'
import { pingDatabase } from '../db/upkeep/health.ts'
import { ApiError } from '../http/api-error.ts'
import type { ApiDeps } from '../http/deps.ts'
import { errorHandler } from '../http/middleware/error-handler.ts'
import { httpRules } from '../http/middleware/http-rules.ts'
import { mountOperations } from '../http/mount.ts'
import { reportReadiness } from '../processes/readiness.ts'
import { logRequests } from '../processes/request-log.ts'
import { uploadsRouter } from '../uploads/router.ts'
import { authenticate, keyCallerOf } from './authenticate.ts'
import { docsRouter } from './docs/router.ts'
import { OPERATIONS } from './operations.ts'
import { paymentsRouter } from './payments/router.ts'

/** The API as an Express app, without a server. */
export function createApp(deps: ApiDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', deps.trustedProxies)
  app.set('etag', false)
  app.set('case sensitive routing', true)
  app.use(logRequests(deps.logger), helmet(), httpRules)
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', reportReadiness({ database: () => pingDatabase(deps.db.em.fork()) }, deps))
  app.use(docsRouter(deps))
  app.use(paymentsRouter(deps))
  app.use(uploadsRouter(deps))
  app.use('/v1', authenticate(deps))
  app.use(mountOperations(deps, OPERATIONS, keyCallerOf))
  app.use((): never => {
    throw new ApiError('route_not_found')
  })
  app.use(errorHandler(deps))
  return app
}
