import { z } from 'zod'
import { findEvent, listEvents } from '../../db/webhooks/events.ts'
import { EVENT_WAIT_MAX_SECONDS } from '../../domain/limits.ts'
import { ApiError } from '../../http/api-error.ts'
import { listQuery, numberAsText, toPage, unknownCursor } from '../../http/list.ts'
import { operation, type PathParameter } from '../../http/operation.ts'
import { listView, wholeListView } from '../../views/list.ts'
import {
  EVENT_CATALOG,
  eventTypeListSchema,
  eventTypeView,
} from '../../views/webhooks/event-type.ts'
import {
  eventId,
  eventListSchema,
  eventSchema,
  eventTypeName,
  eventView,
} from '../../views/webhooks/event.ts'

const scope = 'webhooks:read'

const waitSeconds = numberAsText(z.int().min(0).max(EVENT_WAIT_MAX_SECONDS), {
  minimum: 0,
  maximum: EVENT_WAIT_MAX_SECONDS,
  default: 0,
  description:
    'How long an empty page waits for an event; ignored with starting_after. An empty page can return earlier if too many requests wait.',
}).default(0)

/** Query of GET /v1/events. */
const listEventsQuery = listQuery(eventId, {
  type: eventTypeName.optional(),
  wait_seconds: waitSeconds,
})

/** `{id}` of a path below /v1/events. */
const eventIdParameter: PathParameter<string> = {
  schema: eventId,
  notFound: 'event_not_found',
}

const list = operation({
  id: 'listEvents',
  method: 'get',
  path: '/v1/events',
  tag: 'Events',
  summary: 'List events, newest first, or wait for the next one',
  description:
    'Includes events without a subscriber. To follow all events, repeat the request with `ending_before` (the newest id that you have) and `wait_seconds`: no event is missed or repeated. An event can appear here shortly after its delivery, because events appear in order.',
  scope,
  query: listEventsQuery,
  status: 200,
  response: eventListSchema,
  async handle({ deps, accountId, caller, query, whenGone }) {
    const { starting_after: older, ending_before: newer } = query
    const cursor = older ?? newer
    if (cursor !== undefined && !(await findEvent(deps.db.em.fork(), accountId, cursor)))
      throw unknownCursor(query, 'event')
    const filter = { accountId, type: query.type }
    const page = await deps.longPolls.repeat(
      () => listEvents(deps.db.em.fork(), filter, toPage(query)),
      ({ rows }) => rows.length > 0,
      {
        group: accountId,
        waitMs: older === undefined ? query.wait_seconds * 1000 : 0,
        whenGone,
      },
    )
    // A caller that lost its right while it waited learns nothing that has happened since.
    if (query.wait_seconds > 0)
      await deps.db.em.fork().transactional((tx) => caller.requireIn(tx, { scope }))
    return listView(page, eventView, '/v1/events')
  },
})

const get = operation({
  id: 'getEvent',
  method: 'get',
  path: '/v1/events/{id}',
  tag: 'Events',
  summary: 'Get an event',
  scope,
  params: { id: eventIdParameter },
  status: 200,
  response: eventSchema,
  async handle({ deps, accountId, params: { id } }) {
    const event = await findEvent(deps.db.em.fork(), accountId, id)
    if (!event) throw new ApiError('event_not_found')
    return eventView(event)
  },
})

const listTypes = operation({
  id: 'listEventTypes',
  method: 'get',
  path: '/v1/event-types',
  tag: 'Events',
  summary: 'List the event types with their JSON Schemas',
  description: 'Also as a page: [all event types](/docs/events).',
  scope,
  status: 200,
  response: eventTypeListSchema,
  handle: async () => wholeListView(EVENT_CATALOG, eventTypeView, '/v1/event-types'),
})

export const eventOperations = [list, get, listTypes]
