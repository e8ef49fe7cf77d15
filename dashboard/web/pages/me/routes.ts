import { createRoute } from '@tanstack/react-router'
import { accountRoute } from '../../routes.ts'

const me = createRoute({
  getParentRoute: () => accountRoute,
  path: 'me',
}).lazy(async () => (await import('./me-page.tsx')).meRoute)

export const meRoutes = [me] as const
