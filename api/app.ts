import express from 'express'
import type { Express } from 'express'
import { pingDatabase } from '../db/health.ts'
import helmet from 'helmet'
import { answerReadiness } from '../processes/readiness.ts'
import { logRequests } from '../processes/request-log.ts'
import { ApiError } from './api-error.ts'
import type { ApiDeps } from './deps.ts'
import { docsRouter } from './docs/router.ts'
import { authenticate, keyCallerOf } from './middleware/authenticate.ts'
import { errorHandler } from './middleware/error-handler.ts'
import { httpRules } from './middleware/http-rules.ts'
import { mountOperations } from './mount.ts'
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
  app.get('/readyz', answerReadiness({ database: () => pingDatabase(deps.db.em.fork()) }, deps))
  app.use(docsRouter(deps))
  app.use(paymentsRouter(deps))
  app.use('/v1', authenticate(deps))
  app.use(mountOperations(deps, OPERATIONS, keyCallerOf))
  app.use((): never => {
    throw new ApiError('route_not_found')
  })
  app.use(errorHandler(deps))
  return app
}
