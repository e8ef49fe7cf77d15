import { createRootRoute, createRoute } from '@tanstack/react-router'
import { MissingApp, MissingPage } from './shell/failed-page.tsx'
import { Shell } from './shell/shell.tsx'

export const rootRoute = createRootRoute({ notFoundComponent: MissingApp })

/** The frame of an account, which every page is in. */
export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$account',
  component: Shell,
  notFoundComponent: MissingPage,
})
