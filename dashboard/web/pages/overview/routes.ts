import { createRoute } from '@tanstack/react-router'
import { accountRoute } from '../../routes.ts'

const overview = createRoute({
  getParentRoute: () => accountRoute,
  path: '/',
}).lazy(async () => (await import('./overview-page.tsx')).overviewRoute)

export const overviewRoutes = [overview] as const
