import { createRoute } from '@tanstack/react-router'
import { searchCursorsIn } from '../../api/search-cursors.ts'
import { accountRoute } from '../../routes.ts'

const me = createRoute({
  getParentRoute: () => accountRoute,
  path: 'me',
  validateSearch: searchCursorsIn,
}).lazy(async () => (await import('./me-page.tsx')).meRoute)

export const meRoutes = [me] as const
