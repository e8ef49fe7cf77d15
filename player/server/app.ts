import type { RequestListener } from 'node:http'
import express, {
  Router,
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { pingDatabase } from '../../db/upkeep/health.ts'
import { normaliseHost } from '../../domain/host-name.ts'
import { createViewerPace } from '../../domain/playback/viewer-pace.ts'
import { fontRouter } from '../../http/pages/fonts.ts'
import { Bodies } from '../../processes/bodies/read-body.ts'
import { headFaultOf } from '../../processes/head-rules.ts'
import { reportReadiness } from '../../processes/readiness.ts'
import { getRequestId, logRequests } from '../../processes/request-log.ts'
import { deriveKeys } from '../../security/sealing/sealing.ts'
import { assetRouter, embedScriptRouter } from './assets/assets.ts'
import type { PlayerDeps, ServerContext } from './deps.ts'
import { directPlayRouter } from './direct-play/direct-play-router.ts'
import { withQueryParsed } from './embed/embed-request.ts'
import { embedRouter } from './embed/embed-router.ts'
import { floodGate } from './embed/flood-gate.ts'
import { createGrowingVideos } from './growing/growing-videos.ts'
import { createPlayheads } from './growing/playheads.ts'
import { createAnonymousLimits } from './limits/anonymous-limits.ts'
import { createLicenceLimits } from './limits/licence-limits.ts'
import { createPictureReader } from './media/picture-reader.ts'
import { mediaRouter } from './media/pictures.ts'
import { segmentHandler } from './media/segment-handler.ts'
import { appReportCode } from './mobile-app/app-failures.ts'
import { mobileAppRouter } from './mobile-app/mobile-app-router.ts'
import { oembedRouter } from './oembed/oembed-router.ts'
import { broken, malformed } from './pages/refusals.ts'
import { sendMessage } from './pages/send-page.ts'
import { isScriptPath } from './paths.ts'
import { createReportRecorder } from './playback-reports/report-recorder.ts'
import {
  asPlayerError,
  clientErrorStatus,
  errorBody,
  PlayerError,
  RETRY_LATER,
} from './player-error.ts'
import { createEventRecorder } from './security-events/event-recorder.ts'
import { sessionRouter } from './session-router.ts'
import { unknownScriptPaths } from './unknown-script-paths.ts'

/** Creates the player host's request listener. */
export function createPlayerApp(deps: PlayerDeps): RequestListener {
  const context: ServerContext = {
    ...deps,
    assets: deps.preparedAssets.urls,
    directPlayHost: deps.directPlayBase === null ? null : normaliseHost(deps.directPlayBase),
    sessionKeys: deriveKeys(deps.masterKeys, 'playback-session'),
    siteKeys: deriveKeys(deps.masterKeys, 'framing-site'),
    challengeKeys: deriveKeys(deps.masterKeys, 'app-challenge'),
    growingVideos: createGrowingVideos(deps.db),
    playheads: createPlayheads(deps.db, deps.logger),
    viewerPace: createViewerPace(),
    bodies: new Bodies(),
    readPicture: createPictureReader(deps.storage),
    limits: createAnonymousLimits(deps),
    licenceLimits: createLicenceLimits(deps.licenceRates),
    recorder: createEventRecorder(deps.db),
    reports: createReportRecorder(deps),
  }
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', deps.trustedProxies)
  app.set('etag', false)
  app.use(parseQueryOnce)
  app.use(logRequests(deps.logger), forbidSniffing, checkHead)
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  const needed = {
    database: () => pingDatabase(deps.db.em.fork()),
    storage: () => deps.storage.check(),
  }
  app.get('/readyz', reportReadiness(needed, deps))
  const assets = assetRouter(deps.preparedAssets)
  app.use(forScripts(assets), fontRouter())
  app.use(embedScriptRouter(deps.preparedAssets.embedScript))
  app.use(directPlayRouter(context))
  const scripts = [
    sessionRouter(context),
    mediaRouter(context),
    mobileAppRouter(context),
    oembedRouter(context),
  ]
  app.use(forScripts(...scripts, unknownScriptPaths([assets, ...scripts])))
  app.use(embedRouter(context))
  app.use(errorHandler(context))
  const segments = segmentHandler(context)
  const gate = floodGate(context, app)
  return (request, response) => {
    if (!segments(request, response)) gate(request, response, () => app(request, response))
  }
}

function parseQueryOnce(request: Request, _response: Response, next: NextFunction): void {
  withQueryParsed(request)
  next()
}

function forbidSniffing(_request: Request, response: Response, next: NextFunction): void {
  response.set('X-Content-Type-Options', 'nosniff')
  next()
}

function checkHead(request: Request, response: Response, next: NextFunction): void {
  const fault = headFaultOf(request)
  if (fault) {
    response.set('Connection', 'close')
    throw new PlayerError(fault.status, 'invalid_request', fault.message)
  }
  next()
}

/** Skips routers that only serve scripts, so that requests for pages are not matched against them. */
function forScripts(...routers: Router[]): RequestHandler {
  const all = Router().use(routers)
  return (request, response, next) =>
    isScriptPath(request.path) ? void all(request, response, next) : next()
}

/** Sends JSON to scripts and a page to people. Only the log has the details of an internal error. */
function errorHandler(context: ServerContext): ErrorRequestHandler {
  const { logger } = context
  return (error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const isClients = clientErrorStatus(error) !== null
    if (!isClients)
      logger.error({ err: error, requestId: getRequestId(response) }, 'request failed')
    if (response.headersSent) return void response.destroy()
    const known = asPlayerError(error)
    const { status } = known
    const isRetried = status === 503 || status === 429
    if (isRetried && !response.hasHeader('Retry-After')) response.set(RETRY_LATER)
    if (error instanceof PlayerError || isScriptPath(request.path)) {
      response.set('Cache-Control', 'no-store').status(status)
      const report = appReportCode(context, request, response, known)
      return void response.json(errorBody(known, report))
    }
    sendMessage(response, context, (texts) =>
      isClients ? malformed(texts) : broken(texts, status),
    )
  }
}
