import { createRoute } from '@tanstack/react-router'
import { auditFilter } from '../../api/audit.ts'
import { accountRoute } from '../../routes.ts'

const audit = createRoute({
  getParentRoute: () => accountRoute,
  path: 'audit',
  validateSearch: auditFilter,
}).lazy(async () => (await import('./audit-page.tsx')).auditRoute)

export const auditRoutes = [audit] as const
