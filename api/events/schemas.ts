import { z } from 'zod'
import { EVENT_TYPES } from '../../domain/events.ts'
import { EVENT_WAIT_MAX_SECONDS } from '../../domain/limits.ts'
import { eventId } from '../../views/event.ts'
import { listQuery, numberAsText } from '../list.ts'
import type { PathParameter } from '../operation.ts'

const waitSeconds = numberAsText(z.int().min(0).max(EVENT_WAIT_MAX_SECONDS), {
  minimum: 0,
  maximum: EVENT_WAIT_MAX_SECONDS,
  default: 0,
  description:
    'How long an empty page waits for an event; ignored with starting_after. An empty page can return earlier if too many requests wait.',
}).default(0)

/** Query of GET /v1/events. */
export const listEventsQuery = listQuery(eventId, {
  type: z.enum(EVENT_TYPES).optional(),
  wait_seconds: waitSeconds,
})

/** `{id}` of a path below /v1/events. */
export const eventIdParameter: PathParameter<string> = {
  schema: eventId,
  notFound: 'event_not_found',
}
