import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { apiOf, unwrap } from './client.ts'
import { cursorsOf, type Cursors } from './cursors.ts'
import type { components, operations } from './schema.ts'

export type Endpoint = components['schemas']['WebhookEndpoint']
/** An endpoint with its new secret. */
export type CreatedEndpoint = components['schemas']['CreatedWebhookEndpoint']
export type Replay = components['schemas']['WebhookReplay']
export type EventType = components['schemas']['EventType']
export type ReplayStatus = Replay['status']

/** An account has at most 20, so one page has them all. */
const ENDPOINTS_LENGTH = 100
const REPLAYS_LENGTH = 10
/** For a page about endpoints: their health changes by itself. */
export const ENDPOINT_REFRESH_MS = 60_000
const SHOWN_SECRET_REFRESH_MS = 10_000
const REPLAYS_REFRESH_MS = 60_000
const REPLAY_REFRESH_MS = 2_000

/** All endpoints, newest first. */
export const endpointsQuery = (account: string) =>
  queryOptions({
    queryKey: ['endpoints', account],
    queryFn: async ({ signal }) => {
      const params = { query: { limit: ENDPOINTS_LENGTH } }
      return (await unwrap(apiOf(account).GET('/v1/webhook-endpoints', { params, signal }))).data
    },
  })

export const endpointQuery = (account: string, id: number) =>
  queryOptions({
    queryKey: ['endpoints', account, id],
    queryFn: ({ signal }) =>
      unwrap(
        apiOf(account).GET('/v1/webhook-endpoints/{id}', { params: { path: { id } }, signal }),
      ),
  })

/**
 * Whether a secret of an endpoint that is shown is still the current one: another member, or another tab, may replace it.
 * The secret stays in no cache.
 */
export const endpointSecretQuery = (account: string, id: number, secret: string) =>
  queryOptions({
    queryKey: ['endpoint-secret', account, id],
    queryFn: ({ signal }) => {
      const request = { params: { path: { id } }, body: { secret }, signal }
      return unwrap(apiOf(account).POST('/webhook-endpoints/{id}/secret-check', request))
    },
    gcTime: 0,
    staleTime: 0,
    refetchInterval: SHOWN_SECRET_REFRESH_MS,
  })

/** The catalogue of events, which changes with the version of the server only. */
export const eventTypesQuery = (account: string) =>
  queryOptions({
    queryKey: ['event-types', account],
    queryFn: async ({ signal }) =>
      (await unwrap(apiOf(account).GET('/v1/event-types', { signal }))).data,
    staleTime: Infinity,
  })

/** The event that a delivery carries. It never changes. */
export const eventQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: ['events', account, id],
    queryFn: ({ signal }) =>
      unwrap(apiOf(account).GET('/v1/events/{id}', { params: { path: { id } }, signal })),
    staleTime: Infinity,
  })

/** A page of replays, newest first. Asks often while one of them runs or its deliveries wait. */
export const replaysQuery = (account: string, cursors: Cursors) =>
  queryOptions({
    queryKey: ['replays', account, cursors],
    queryFn: ({ signal }) => {
      const query = { limit: REPLAYS_LENGTH, ...cursorsOf(cursors) }
      return unwrap(apiOf(account).GET('/v1/webhook-replays', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some((replay) => replay.state === 'running')
        ? REPLAY_REFRESH_MS
        : REPLAYS_REFRESH_MS,
  })

export type ReplayRange = operations['previewWebhookReplay']['parameters']['query']

/** What a replay would send; counted when it is asked for. */
export const replayPreview = (account: string, query: ReplayRange) =>
  unwrap(apiOf(account).GET('/webhook-replay-preview', { params: { query } }))
