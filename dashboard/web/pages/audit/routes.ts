import { createRoute } from '@tanstack/react-router'
import { auditFilter, auditQuery } from '../../api/audit.ts'
import { accountRoute } from '../../routes.ts'

const audit = createRoute({
  getParentRoute: () => accountRoute,
  path: 'audit',
  validateSearch: auditFilter,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { account }, deps }) => {
    void queryClient.prefetchQuery(auditQuery(account, deps))
  },
}).lazy(async () => (await import('./audit-page.tsx')).auditRoute)

export const auditRoutes = [audit] as const
