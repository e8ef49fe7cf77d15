import { createRouter, stringifySearchWith } from '@tanstack/react-router'
import { audienceRoutes } from './pages/audience/routes.ts'
import { auditRoutes } from './pages/audit/routes.ts'
import { developersRoutes } from './pages/developers/routes.ts'
import { meRoutes } from './pages/me/routes.ts'
import { operatorRoutes } from './pages/operator/routes.ts'
import { overviewRoutes } from './pages/overview/routes.ts'
import { searchRoutes } from './pages/search/routes.ts'
import { securityRoutes } from './pages/security/routes.ts'
import { settingsRoutes } from './pages/settings/routes.ts'
import { teamRoutes } from './pages/team/routes.ts'
import { usageRoutes } from './pages/usage/routes.ts'
import { videosRoutes } from './pages/videos/routes.ts'
import { createQueryClient } from './query-client.ts'
import { accountRoute, rootRoute } from './routes.ts'
import { FailedPage, MissingPage } from './shell/failed-page.tsx'

export const queryClient = createQueryClient()

/**
 * All pages; each is a module that is loaded when it is first opened. An area lists its own. A route begins to load
 * the data of its page, so that they load at the same time as its module; it does not wait for them.
 */
export const router = createRouter({
  context: { queryClient },
  routeTree: rootRoute.addChildren([
    accountRoute.addChildren([
      ...overviewRoutes,
      ...videosRoutes,
      ...searchRoutes,
      ...audienceRoutes,
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
  // A query knows when its data are old; a loader only begins the first load.
  defaultStaleTime: Infinity,
  defaultPreload: 'intent',
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: MissingPage,
  scrollRestoration: true,
  // As in any address: every value is text. The router's own parser makes numbers of digits, also of those of an id.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: stringifySearchWith(String),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
