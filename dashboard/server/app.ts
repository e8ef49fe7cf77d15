import express, { type Express } from 'express'
import { pingDatabase } from '../../db/upkeep/health.ts'
import { ApiError } from '../../http/api-error.ts'
import { httpRules } from '../../http/middleware/http-rules.ts'
import { reportReadiness } from '../../processes/readiness.ts'
import { logRequests } from '../../processes/request-log.ts'
import { apiRouter } from './api-router.ts'
import { openAuthentication } from './auth/authentication.ts'
import type { DashboardDeps } from './deps.ts'
import { noteOtherAddresses, warnOfPlainHttp } from './middleware/public-address.ts'
import { requireSignIn } from './middleware/require-sign-in.ts'
import { securityHeaders } from './middleware/security-headers.ts'
import { errorPages } from './pages/error-pages.ts'
import { homeRouter } from './pages/home-router.ts'
import { loadPageFiles } from './pages/page-files.ts'
import { signInRouter } from './pages/sign-in-router.ts'
import { welcomeRouter } from './pages/welcome-router.ts'

/** Creates the dashboard as an Express app, without a server. */
export async function createDashboardApp(deps: DashboardDeps): Promise<Express> {
  warnOfPlainHttp(deps.dashboardBase, deps.logger)
  const authentication = openAuthentication(deps)
  const { files, router: pageFiles } = await loadPageFiles()
  const pages = { ...authentication, files }
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', deps.trustedProxies)
  app.set('etag', false)
  app.set('case sensitive routing', true)
  app.use(logRequests(deps.logger), securityHeaders(deps))
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', reportReadiness({ database: () => pingDatabase(deps.db.em.fork()) }, deps))
  app.use(pageFiles, noteOtherAddresses(deps.dashboardBase, deps.logger))
  app.use('/api', apiRouter(authentication))
  app.use(httpRules)
  app.use(signInRouter(pages), welcomeRouter(pages), homeRouter(pages))
  app.use('/accounts', requireSignIn(authentication))
  app.use(deps.webRouter)
  app.use((): never => {
    throw new ApiError('route_not_found')
  })
  app.use(errorPages(pages))
  return app
}
