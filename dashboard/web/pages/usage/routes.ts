import { createRoute } from '@tanstack/react-router'
import { cursorsIn } from '../../api/cursors.ts'
import { usageQuery, usageRange } from '../../api/usage.ts'
import { accountRoute } from '../../routes.ts'

const usage = createRoute({
  getParentRoute: () => accountRoute,
  path: 'usage',
  validateSearch: usageRange,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { account }, deps }) => {
    void queryClient.prefetchQuery(usageQuery(account, deps.days))
  },
}).lazy(async () => (await import('./usage-page.tsx')).usageRoute)

const plan = createRoute({
  getParentRoute: () => accountRoute,
  path: 'plan',
  validateSearch: cursorsIn,
}).lazy(async () => (await import('./plan-page.tsx')).planRoute)

export const usageRoutes = [usage, plan] as const
