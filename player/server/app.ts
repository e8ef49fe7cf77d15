import express from 'express'
import type { ErrorRequestHandler, Express, NextFunction, Request, Response } from 'express'
import type { Logger } from 'pino'
import { loadAssets } from './assets.ts'
import type { Assets } from './assets.ts'
import type { PlayerDeps } from './deps.ts'
import { embedRouter } from './embed/embed-router.ts'
import { embedScriptRouter } from './embed-script.ts'
import { licenceRouter } from './licence-router.ts'
import { manifestRouter } from './manifest-router.ts'
import { mediaRouter } from './media-router.ts'
import { BROKEN, MALFORMED } from './pages/refusals.ts'
import { PlayerError } from './player-error.ts'
import { sendMessage } from './send-page.ts'
import { sessionRouter } from './session-router.ts'

/** The player host as an Express app; it listens nowhere yet. */
export async function createPlayerApp(deps: PlayerDeps): Promise<Express> {
  const assets = await loadAssets()
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', deps.trustedProxies)
  app.set('etag', false)
  app.use((_request: Request, response: Response, next: NextFunction) => {
    response.locals.requestId = `req_${crypto.randomUUID().replaceAll('-', '')}`
    response.set({
      'Request-Id': response.locals.requestId as string,
      'X-Content-Type-Options': 'nosniff',
    })
    next()
  })
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', async (_request, response) => {
    await deps.db.em.fork().execute('select 1')
    response.json({ status: 'ok' })
  })
  app.use(assets.router)
  app.use(await embedScriptRouter())
  app.use(manifestRouter(deps))
  app.use(mediaRouter(deps))
  app.use(licenceRouter(deps))
  app.use(sessionRouter(deps))
  app.use(embedRouter(deps, assets))
  app.use(errorHandler(deps.logger, assets))
  return app
}

/** Scripts get JSON, people get a page; what went wrong inside stays in the log. */
function errorHandler(logger: Logger, assets: Assets): ErrorRequestHandler {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const status = (error as { status?: unknown } | null)?.status
    const isClients = typeof status === 'number' && status >= 400 && status < 500
    if (!isClients)
      logger.error({ err: error, requestId: response.locals.requestId }, 'request failed')
    if (response.headersSent) return void response.destroy()
    if (error instanceof PlayerError) {
      const body = { error: { code: error.code, message: error.message } }
      return void response.set('Cache-Control', 'no-store').status(error.status).json(body)
    }
    sendMessage(response, assets, isClients ? MALFORMED : BROKEN)
  }
}
