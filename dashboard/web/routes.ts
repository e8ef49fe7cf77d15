import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute } from '@tanstack/react-router'
import { meQuery } from './api/me.ts'
import { overviewQuery } from './api/overview.ts'
import { MissingApp, MissingPage } from './shell/failed-page.tsx'
import { Shell } from './shell/shell.tsx'

/** What every route can use. */
interface RouterContext {
  queryClient: QueryClient
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  notFoundComponent: MissingApp,
})

/** The frame of an account, which every page is in. */
export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$account',
  loader: ({ context: { queryClient }, params: { account } }) => {
    void queryClient.prefetchQuery(meQuery(account))
    void queryClient.prefetchQuery(overviewQuery(account))
  },
  component: Shell,
  notFoundComponent: MissingPage,
})
