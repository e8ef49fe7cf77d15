import { readFileSync } from 'node:fs'
import { Router, type RequestHandler } from 'express'
import type { ApiDeps } from '../../http/deps.ts'
import { allowOnly } from '../../http/middleware/http-rules.ts'
import { fontRouter } from '../../http/pages/fonts.ts'
import { buildDocument } from '../openapi/document.ts'
import { OPERATIONS } from '../operations.ts'
import { docsPage, errorsPage, eventsPage } from './pages.ts'
import { REDOC_THEME } from './redoc-theme.ts'

const redocFile = new URL('../../third-party/redoc/redoc.standalone.js', import.meta.url)
/** Shows the samples for curl and the SDK before the bare payload. */
const REDOC_OPTIONS = {
  hideDownloadButton: false,
  nativeScrollbars: true,
  payloadSampleIdx: 2,
  theme: REDOC_THEME,
}
const START_SCRIPT = `Redoc.init('/openapi.json', ${JSON.stringify(REDOC_OPTIONS)}, document.getElementById('reference'))`
const MAX_AGE_SECONDS = 300
/** The only external address that Redoc's script would load. */
const OUTSIDE_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg'

/**
 * Serves /openapi.json, /docs, /docs/errors and /docs/events without a key: they hold no data of an account. The
 * router serves Redoc itself, so that the reference needs no CDN.
 */
export function docsRouter({ apiBase }: Pick<ApiDeps, 'apiBase'>): Router {
  const router = Router({ caseSensitive: true })
  router.use(fontRouter())
  const redoc = readFileSync(redocFile, 'utf8').replaceAll(OUTSIDE_LOGO, 'data:,')
  const document = JSON.stringify(buildDocument(OPERATIONS, apiBase))
  const get = (path: string, handler: RequestHandler) =>
    router.route(path).get(cacheable, handler).all(allowOnly('GET'))
  get('/openapi.json', (_request, response) => void response.type('json').send(document))
  get('/docs', (_request, response) => void response.set(policy).type('html').send(docsPage()))
  get('/docs/errors', (_request, response) => void response.type('html').send(errorsPage()))
  get('/docs/events', (_request, response) => void response.type('html').send(eventsPage()))
  get('/docs/start.js', (_request, response) => void response.type('js').send(START_SCRIPT))
  get('/docs/redoc.js', (_request, response) => void response.type('js').send(redoc))
  return router
}

const cacheable: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`)
  next()
}

/** Redoc writes styles into the page and searches in a worker that it creates from a blob. */
const policy = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}
