import { createRoute } from '@tanstack/react-router'
import { accountRoute } from '../../routes.ts'
import { OverviewPage } from './overview-page.tsx'

/** The first page after the sign-in: it is part of the first file, so that it does not wait for another one. */
const overview = createRoute({
  getParentRoute: () => accountRoute,
  path: '/',
  component: OverviewPage,
})

export const overviewRoutes = [overview] as const
