import { createRoute } from '@tanstack/react-router'
import { cursorsIn, rowIdOf } from '../../api/cursors.ts'
import { deliveriesFilter, deliveriesMatch, type DeliveriesMatch } from '../../api/deliveries.ts'
import { accountRoute } from '../../routes.ts'
import { replaySearch } from './replays/replay-search.ts'

const developers = createRoute({
  getParentRoute: () => accountRoute,
  path: 'developers',
}).lazy(async () => (await import('./developers-frame.tsx')).developersRoute)

const start = createRoute({
  getParentRoute: () => developers,
  path: '/',
}).lazy(async () => (await import('./quick-start-page.tsx')).quickStartRoute)

const keys = createRoute({
  getParentRoute: () => developers,
  path: 'keys',
  validateSearch: cursorsIn,
}).lazy(async () => (await import('./keys-page.tsx')).keysRoute)

const createKey = createRoute({
  getParentRoute: () => keys,
  path: 'create',
}).lazy(async () => (await import('./keys/create-key.tsx')).createKeyRoute)

const endpoints = createRoute({
  getParentRoute: () => developers,
  path: 'webhooks',
}).lazy(async () => (await import('./endpoints-page.tsx')).endpointsRoute)

const addEndpoint = createRoute({
  getParentRoute: () => endpoints,
  path: 'add',
}).lazy(async () => (await import('./endpoints/add-endpoint.tsx')).addEndpointRoute)

/** The page of one thing has its own title, without the tabs. */
const endpoint = createRoute({
  getParentRoute: () => accountRoute,
  path: 'developers/webhooks/$endpoint',
}).lazy(async () => (await import('./endpoint-page.tsx')).endpointRoute)

const editEndpoint = createRoute({
  getParentRoute: () => endpoint,
  path: 'edit',
}).lazy(async () => (await import('./endpoints/edit-endpoint.tsx')).editEndpointRoute)

const rotateSecret = createRoute({
  getParentRoute: () => endpoint,
  path: 'rotate',
}).lazy(async () => (await import('./endpoints/rotate-secret.tsx')).rotateSecretRoute)

const deliveries = createRoute({
  getParentRoute: () => developers,
  path: 'deliveries',
  validateSearch: deliveriesFilter,
}).lazy(async () => (await import('./deliveries-page.tsx')).deliveriesRoute)

const delivery = createRoute({
  getParentRoute: () => accountRoute,
  path: 'developers/deliveries/$delivery',
  // With the list that led here, so that its next delivery can be opened.
  validateSearch: (search: Record<string, unknown>): DeliveriesMatch & { attempt?: number } => ({
    ...deliveriesMatch(search),
    attempt: rowIdOf(search.attempt),
  }),
}).lazy(async () => (await import('./delivery-page.tsx')).deliveryRoute)

const replays = createRoute({
  getParentRoute: () => developers,
  path: 'replays',
  validateSearch: cursorsIn,
}).lazy(async () => (await import('./replays-page.tsx')).replaysRoute)

const startReplay = createRoute({
  getParentRoute: () => replays,
  path: 'start',
  validateSearch: replaySearch,
}).lazy(async () => (await import('./replays/start-replay.tsx')).startReplayRoute)

const recordStore = createRoute({
  getParentRoute: () => developers,
  path: 'record-store',
}).lazy(async () => (await import('./record-store-page.tsx')).recordStoreRoute)

const events = createRoute({
  getParentRoute: () => developers,
  path: 'events',
}).lazy(async () => (await import('./events-page.tsx')).eventsRoute)

export const developersRoutes = [
  developers.addChildren([
    start,
    keys.addChildren([createKey]),
    endpoints.addChildren([addEndpoint]),
    deliveries,
    replays.addChildren([startReplay]),
    events,
    recordStore,
  ]),
  endpoint.addChildren([editEndpoint, rotateSecret]),
  delivery,
] as const
