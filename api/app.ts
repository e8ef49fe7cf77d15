import express from 'express'
import type { Express, Request, Response } from 'express'
import helmet from 'helmet'
import { pinoHttp } from 'pino-http'
import type { Logger } from 'pino'
import { accountRouter } from './account/router.ts'
import { ApiError } from './api-error.ts'
import type { ApiDeps } from './deps.ts'
import { errorHandler } from './middleware/error-handler.ts'
import { jsonBody } from './middleware/json-body.ts'
import { requestId } from './middleware/request-id.ts'
import { playbackTokensRouter } from './playback-tokens/router.ts'
import { settingsRouter } from './settings/router.ts'
import { videosRouter } from './videos/router.ts'
import { webhookDeliveriesRouter } from './webhook-deliveries/router.ts'
import { webhookEndpointsRouter } from './webhook-endpoints/router.ts'

/** The whole of /v1 as an Express app; it listens nowhere yet. */
export function createApp(deps: ApiDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', deps.trustedProxies)
  app.set('etag', false)
  app.set('case sensitive routing', true)
  app.use(requestId, accessLog(deps.logger), helmet())
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', async (_request, response) => {
    await deps.db.em
      .fork()
      .execute('select 1')
      .catch(() => Promise.reject(new ApiError('service_unavailable')))
    response.json({ status: 'ok' })
  })
  app.use(jsonBody())
  app.use('/v1/videos/:id/playback-tokens', playbackTokensRouter(deps))
  app.use('/v1/videos', videosRouter(deps))
  app.use('/v1/webhook-endpoints', webhookEndpointsRouter(deps))
  app.use('/v1/webhook-deliveries', webhookDeliveriesRouter(deps))
  app.use('/v1/account', accountRouter(deps))
  app.use('/v1/settings', settingsRouter(deps))
  app.use((): never => {
    throw new ApiError('route_not_found')
  })
  app.use(errorHandler(deps.logger))
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
