import express from 'express'
import type { Express, Request, Response } from 'express'
import { pinoHttp } from 'pino-http'
import type { Logger } from 'pino'
import { ApiError, serviceUnavailable } from './api-error.ts'
import type { ApiDeps } from './deps.ts'
import { docsRouter } from './docs/router.ts'
import { authenticate } from './middleware/authenticate.ts'
import { errorHandler } from './middleware/error-handler.ts'
import { requestId } from './middleware/request-id.ts'
import { securityHeaders } from './middleware/security-headers.ts'
import { mountOperations } from './mount.ts'
import { OPERATIONS } from './operations.ts'
import { paymentsRouter } from './payments/router.ts'

/** The whole of /v1 as an Express app; it listens nowhere yet. */
export function createApp(deps: ApiDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', deps.trustedProxies)
  app.set('etag', false)
  app.set('case sensitive routing', true)
  app.use(requestId, accessLog(deps.logger), securityHeaders())
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', async (_request, response) => {
    await deps.db.em
      .fork()
      .execute('select 1')
      .catch(() => Promise.reject(serviceUnavailable()))
    response.json({ status: 'ok' })
  })
  app.use(docsRouter(deps))
  app.use(paymentsRouter(deps))
  app.use('/v1', authenticate(deps))
  app.use(mountOperations(deps, OPERATIONS))
  app.use((): never => {
    throw new ApiError('route_not_found')
  })
  app.use(errorHandler(deps))
  return app
}

/** One line a request: no headers, no query, no body, since any of them may hold a secret. */
const accessLog = (logger: Logger) =>
  pinoHttp<Request, Response>({
    logger,
    genReqId: (_request, response) => response.locals.requestId as string,
    serializers: {
      req: (request: { method: string; url: string }) => ({
        method: request.method,
        path: request.url.split('?')[0],
      }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
    },
  })
