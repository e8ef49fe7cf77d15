import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { auditRoutes } from './pages/audit/routes.ts'
import { developersRoutes } from './pages/developers/routes.ts'
import { meRoutes } from './pages/me/routes.ts'
import { operatorRoutes } from './pages/operator/routes.ts'
import { overviewRoutes } from './pages/overview/routes.ts'
import { securityRoutes } from './pages/security/routes.ts'
import { settingsRoutes } from './pages/settings/routes.ts'
import { teamRoutes } from './pages/team/routes.ts'
import { usageRoutes } from './pages/usage/routes.ts'
import { videosRoutes } from './pages/videos/routes.ts'
import { accountRoute, rootRoute } from './routes.ts'
import { FailedPage, MissingPage } from './shell/failed-page.tsx'

/** All pages; each is a module that is loaded when it is first opened. An area lists its own. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    accountRoute.addChildren([
      ...overviewRoutes,
      ...videosRoutes,
      ...developersRoutes,
      ...securityRoutes,
      ...settingsRoutes,
      ...usageRoutes,
      ...teamRoutes,
      ...auditRoutes,
      ...meRoutes,
      ...operatorRoutes,
    ]),
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: MissingPage,
  scrollRestoration: true,
  // As in any address: every value is text.
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(String),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
