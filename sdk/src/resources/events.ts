import { followEvents, type FollowOptions } from '../follow-events.ts'
import { atPath, toInit, unwrap, type CallOptions, type Http } from '../http.ts'
import { everyItem, PAGE_LIMIT_MAX } from '../pagination.ts'
import type {
  EventList,
  EventTypeList,
  Filters,
  Query,
  WebhookEvent,
  WebhookEvents,
} from '../types.ts'

/** Calls for events; each throws ReelgateError. `timeoutMs` is the limit of one attempt. */
export function eventsOf(http: Http, timeoutMs: number) {
  const events = {
    /** One page, newest first; with wait_seconds, waits for an event if there is none. */
    list: (query: Query<'listEvents'> = {}, options: CallOptions = {}): Promise<EventList> =>
      unwrap<'listEvents'>(http.GET('/v1/events', { params: { query }, ...toInit(options) })),

    /** Every recorded event, newest first, page by page. */
    listAll: (
      query: Omit<Filters<'listEvents'>, 'wait_seconds'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<WebhookEvent, void, undefined> =>
      everyItem<WebhookEvent>((cursor) =>
        events.list({ limit: PAGE_LIMIT_MAX, ...query, ...cursor }, options),
      ),

    /** One event. */
    get: (id: string, options: CallOptions = {}): Promise<WebhookEvent> =>
      unwrap<'getEvent'>(http.GET('/v1/events/{id}', atPath({ id }, options))),

    /** Every new event, oldest first, until the loop ends or the signal aborts; see followEvents. */
    follow: <T extends keyof WebhookEvents = keyof WebhookEvents>(
      options: FollowOptions<T> = {},
    ): AsyncGenerator<WebhookEvents[T], void, undefined> =>
      followEvents(events, timeoutMs, options),
  }
  return events
}

/** GET /v1/event-types. */
export const eventTypesOf = (http: Http) => ({
  /** Returns when each type is sent, and the JSON Schema of its events. */
  list: (options: CallOptions = {}): Promise<EventTypeList> =>
    unwrap<'listEventTypes'>(http.GET('/v1/event-types', toInit(options))),
})
