import { createRoute, redirect } from '@tanstack/react-router'
import {
  codeInSearch,
  eventsFilter,
  playingFilter,
  viewerInSearch,
  viewersPage,
} from '../../api/security.ts'
import { accountRoute } from '../../routes.ts'

const security = createRoute({
  getParentRoute: () => accountRoute,
  path: 'security',
}).lazy(async () => (await import('./security-frame.tsx')).securityRoute)

const start = createRoute({
  getParentRoute: () => security,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/accounts/$account/security/events', params, replace: true })
  },
})

const events = createRoute({
  getParentRoute: () => security,
  path: 'events',
  validateSearch: eventsFilter,
}).lazy(async () => (await import('./events-page.tsx')).eventsRoute)

const playing = createRoute({
  getParentRoute: () => security,
  path: 'playing',
  validateSearch: playingFilter,
}).lazy(async () => (await import('./playing-page.tsx')).playingRoute)

const viewers = createRoute({
  getParentRoute: () => security,
  path: 'viewers',
  validateSearch: viewersPage,
}).lazy(async () => (await import('./viewers-page.tsx')).viewersRoute)

const revoke = createRoute({
  getParentRoute: () => viewers,
  path: 'revoke',
  validateSearch: viewerInSearch,
}).lazy(async () => (await import('./revoke-viewer.tsx')).revokeRoute)

const why = createRoute({
  getParentRoute: () => security,
  path: 'why',
  validateSearch: codeInSearch,
}).lazy(async () => (await import('./why/why-page.tsx')).whyRoute)

export const securityRoutes = [
  security.addChildren([start, events, playing, viewers.addChildren([revoke]), why]),
] as const
