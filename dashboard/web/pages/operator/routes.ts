import { createRoute } from '@tanstack/react-router'
import { accountRoute } from '../../routes.ts'

/** The video that is looked at. */
const searchOf = ({ video }: Record<string, unknown>): { video?: string } =>
  typeof video === 'string' && video !== '' ? { video } : {}

const operator = createRoute({
  getParentRoute: () => accountRoute,
  path: 'operator',
  validateSearch: searchOf,
}).lazy(async () => (await import('./operator-page.tsx')).operatorRoute)

export const operatorRoutes = [operator] as const
