import { createRoute, redirect } from '@tanstack/react-router'
import { accountRoute } from '../../routes.ts'

const settings = createRoute({
  getParentRoute: () => accountRoute,
  path: 'settings',
}).lazy(async () => (await import('./settings-frame.tsx')).settingsRoute)

const first = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/accounts/$account/settings/player', params, replace: true })
  },
})

const player = createRoute({
  getParentRoute: () => settings,
  path: 'player',
}).lazy(async () => (await import('./player-page.tsx')).playerRoute)

const watermark = createRoute({
  getParentRoute: () => settings,
  path: 'watermark',
}).lazy(async () => (await import('./watermark-page.tsx')).watermarkRoute)

const domains = createRoute({
  getParentRoute: () => settings,
  path: 'domains',
}).lazy(async () => (await import('./domains-page.tsx')).domainsRoute)

const protection = createRoute({
  getParentRoute: () => settings,
  path: 'protection',
}).lazy(async () => (await import('./protection-page.tsx')).protectionRoute)

const viewers = createRoute({
  getParentRoute: () => settings,
  path: 'viewers',
}).lazy(async () => (await import('./viewer-data-page.tsx')).viewerDataRoute)

export const settingsRoutes = [
  settings.addChildren([first, player, watermark, domains, protection, viewers]),
] as const
