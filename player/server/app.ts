import type { RequestListener } from 'node:http'
import express from 'express'
import type {
  ErrorRequestHandler,
  NextFunction,
  Request,
  RequestHandler,
  Response,
  Router,
} from 'express'
import type { Logger } from 'pino'
import { pingDatabase } from '../../db/health.ts'
import { logRequests, requestIdOf } from '../../processes/request-log.ts'
import { loadAssets } from './assets.ts'
import type { Assets } from './assets.ts'
import type { PlayerDeps } from './deps.ts'
import { directPlayRouter } from './direct-play/direct-play-router.ts'
import { embedRouter } from './embed/embed-router.ts'
import { extrasRouter } from './extras-router.ts'
import { incidentRouter } from './incident-router.ts'
import { embedScriptRouter } from './embed-script.ts'
import { licenceRouter } from './licence-router.ts'
import { manifestRouter } from './manifest-router.ts'
import { mediaRouter } from './media/media-router.ts'
import { segmentHandler } from './media/segment-handler.ts'
import { broken, malformed } from './pages/refusals.ts'
import { PlayerError, RETRY_LATER, asPlayerError } from './player-error.ts'
import { sendMessage } from './send-page.ts'
import { sessionRouter } from './session-router.ts'

/** Everything that the player host answers; it listens nowhere yet. */
export async function createPlayerApp(deps: PlayerDeps): Promise<RequestListener> {
  const assets = await loadAssets()
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', deps.trustedProxies)
  app.set('etag', false)
  app.use(logRequests(deps.logger), (request: Request, response: Response, next: NextFunction) => {
    // Express reads the query anew each time that it is asked for.
    Object.defineProperty(request, 'query', { value: request.query })
    response.set('X-Content-Type-Options', 'nosniff')
    next()
  })
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', async (_request, response) => {
    await pingDatabase(deps.db)
    response.json({ status: 'ok' })
  })
  app.use(forScripts(assets.router))
  app.use(await embedScriptRouter())
  app.use(directPlayRouter(deps, assets))
  app.use(forScripts(manifestRouter(deps), extrasRouter(deps), mediaRouter(deps)))
  app.use(forScripts(licenceRouter(deps), sessionRouter(deps), incidentRouter(deps)))
  app.use(embedRouter(deps, assets))
  app.use(errorHandler(deps.logger, assets))
  const segments = segmentHandler(deps)
  return (request, response) => {
    if (!segments(request, response)) app(request, response)
  }
}

const SCRIPTS = /^\/(assets|media|posters|licence|sessions)\//

/** What only scripts ask for: a page, whose address begins with a video id, need not pass it. */
function forScripts(...routers: Router[]): RequestHandler {
  const all = express.Router().use(routers)
  return (request, response, next) =>
    SCRIPTS.test(request.path) ? void all(request, response, next) : next()
}

const isForPrograms = (path: string): boolean => SCRIPTS.test(path) || path === '/readyz'

/** Scripts get JSON, people get a page; what went wrong inside stays in the log. */
function errorHandler(logger: Logger, assets: Assets): ErrorRequestHandler {
  return (error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const status = (error as { status?: unknown } | null)?.status
    const isClients = typeof status === 'number' && status >= 400 && status < 500
    if (!isClients) logger.error({ err: error, requestId: requestIdOf(response) }, 'request failed')
    if (response.headersSent) return void response.destroy()
    const { status: ourStatus, code, message } = asPlayerError(error)
    if (ourStatus === 503) response.set(RETRY_LATER)
    if (error instanceof PlayerError || (!isClients && isForPrograms(request.path))) {
      response.set('Cache-Control', 'no-store').status(ourStatus)
      return void response.json({ error: { code, message } })
    }
    // A page that waits has the site that framed it in its address, and can ask again.
    const isWaiting = typeof request.query.from === 'string' && /^\/[^/]/.test(request.originalUrl)
    const retryUrl = isWaiting ? request.originalUrl : null
    sendMessage(response, assets, (texts) =>
      isClients ? malformed(texts) : broken(texts, retryUrl, ourStatus),
    )
  }
}
