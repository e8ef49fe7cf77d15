import { createRoute } from '@tanstack/react-router'
import { accountRoute } from '../../routes.ts'
import { captionSearchIn, captionSearchQuery } from './caption-search.ts'

const search = createRoute({
  getParentRoute: () => accountRoute,
  path: 'videos/search',
  validateSearch: captionSearchIn,
  loaderDeps: ({ search: { q } }) => ({ q }),
  loader: ({ context: { queryClient }, params: { account }, deps }) => {
    if (deps.q !== undefined) void queryClient.prefetchQuery(captionSearchQuery(account, deps))
  },
}).lazy(async () => (await import('./search-page.tsx')).searchRoute)

export const searchRoutes = [search] as const
