import { createRoute } from '@tanstack/react-router'
import { cursorsIn } from '../../api/cursors.ts'
import { paymentsQuery, planQuery, usageQuery, usageRange } from '../../api/usage.ts'
import { accountRoute } from '../../routes.ts'

/** Both pages have the same title and tabs, at addresses of their own. */
const frame = createRoute({
  getParentRoute: () => accountRoute,
  id: 'usage-and-plan',
}).lazy(async () => (await import('./usage-frame.tsx')).usageFrameRoute)

const usage = createRoute({
  getParentRoute: () => frame,
  path: 'usage',
  validateSearch: usageRange,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { account }, deps }) => {
    void queryClient.prefetchQuery(usageQuery(account, deps.days))
  },
}).lazy(async () => (await import('./usage-page.tsx')).usageRoute)

const plan = createRoute({
  getParentRoute: () => frame,
  path: 'plan',
  validateSearch: cursorsIn,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { account }, deps }) => {
    void queryClient.prefetchQuery(planQuery(account))
    void queryClient.prefetchQuery(paymentsQuery(account, deps))
  },
}).lazy(async () => (await import('./plan-page.tsx')).planRoute)

export const usageRoutes = [frame.addChildren([usage, plan])] as const
