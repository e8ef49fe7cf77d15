import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { EVENT_TYPES, type EventType } from '../../../domain/webhooks/events.ts'
import { apiOf, unwrap } from './client.ts'
import { cursorsIn, cursorsOf, rowIdOf, type Cursors } from './cursors.ts'
import type { components } from './schema.ts'

export type Delivery = components['schemas']['WebhookDelivery']
/** A delivery in the list, without its attempts. */
export type DeliverySummary = components['schemas']['WebhookDeliverySummary']
export type Attempt = components['schemas']['WebhookAttempt']
export type DeliveryStatus = Delivery['status']

export const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed']

/** What the list shows, as in its address. */
export interface DeliveriesFilter extends Cursors {
  status?: DeliveryStatus
  endpoint?: number
  event?: EventType
  replay?: number
}

/** Which deliveries the list shows, on whichever page. */
export type DeliveriesMatch = Omit<DeliveriesFilter, keyof Cursors>

const PAGE_LENGTH = 20
const REFRESH_MS = 60_000
const MOVING_REFRESH_MS = 2_000
/** An attempt is expected from a moment before it is due until a minute after. */
const EARLY_MS = 2_000
const LATE_MS = 60_000

/** The filter of an address; anything that it cannot mean is left out. */
export function deliveriesFilter(search: Record<string, unknown>): DeliveriesFilter {
  return { ...cursorsIn(search), ...deliveriesMatch(search) }
}

/** As `deliveriesFilter`, without the page. */
export function deliveriesMatch(search: Record<string, unknown>): DeliveriesMatch {
  return {
    status: DELIVERY_STATUSES.find((one) => one === search.status),
    endpoint: rowIdOf(search.endpoint),
    event: EVENT_TYPES.find((one) => one === search.event),
    replay: rowIdOf(search.replay),
  }
}

/** A page of deliveries, newest first. Asks often while an attempt is due. */
export const deliveriesQuery = (account: string, filter: DeliveriesFilter) =>
  queryOptions({
    queryKey: ['deliveries', account, filter],
    queryFn: ({ signal }) =>
      listDeliveries(account, filter, { limit: PAGE_LENGTH, ...cursorsOf(filter) }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refreshMs(state.data?.data ?? []),
  })

function listDeliveries(
  account: string,
  { status, endpoint, event, replay }: DeliveriesMatch,
  page: { limit: number } & Partial<ReturnType<typeof cursorsOf>>,
  signal: AbortSignal,
) {
  const match = { status, endpoint_id: endpoint, event_type: event, replay_id: replay }
  const params = { query: { ...match, ...page } }
  return unwrap(apiOf(account).GET('/webhook-deliveries', { params, signal }))
}

/** The deliveries before and after one in the list, also if it no longer matches. */
export const deliveryNeighboursQuery = (account: string, id: number, match: DeliveriesMatch) =>
  queryOptions({
    queryKey: ['deliveries', account, 'neighbours', id, match],
    queryFn: async ({ signal }) => {
      const [before, after] = await Promise.all([
        listDeliveries(account, match, { limit: 1, ending_before: id }, signal),
        listDeliveries(account, match, { limit: 1, starting_after: id }, signal),
      ])
      return { previous: textOf(before.data[0]), next: textOf(after.data[0]) }
    },
  })

const textOf = (delivery: DeliverySummary | undefined): string | null =>
  delivery === undefined ? null : String(delivery.id)

export const deliveryQuery = (account: string, id: number) =>
  queryOptions({
    queryKey: ['delivery', account, id],
    queryFn: ({ signal }) => {
      const params = { path: { id } }
      return unwrap(apiOf(account).GET('/v1/webhook-deliveries/{id}', { params, signal }))
    },
    refetchInterval: ({ state }) =>
      state.data?.status === 'pending' ? refreshMs([state.data]) : false,
  })

/** What both kinds of deliveries say. */
type AnyDelivery = Delivery | DeliverySummary

const refreshMs = (deliveries: readonly AnyDelivery[]): number =>
  deliveries.some(isDue) ? MOVING_REFRESH_MS : REFRESH_MS

/** True while the response to an attempt can arrive. */
function isDue({ status, next_retry_at: next, created_at: created }: AnyDelivery): boolean {
  if (status !== 'pending') return false
  const remainingMs = Date.parse(next ?? created) - Date.now()
  return remainingMs < EARLY_MS && remainingMs > -LATE_MS
}
