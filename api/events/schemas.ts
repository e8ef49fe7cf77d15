import { z } from 'zod'
import { EVENT_TYPES } from '../../domain/events.ts'
import { EVENT_WAIT_MAX_SECONDS } from '../../domain/limits.ts'
import { listOf, listQuery, numberAsText } from '../list.ts'
import type { PathParameter } from '../operation.ts'
import { EVENT_CATALOG } from './catalog.ts'
import { eventId } from './event-schemas.ts'

const type = z.enum(EVENT_TYPES)

const waitSeconds = numberAsText(z.int().min(0).max(EVENT_WAIT_MAX_SECONDS), {
  minimum: 0,
  maximum: EVENT_WAIT_MAX_SECONDS,
  default: 0,
  description:
    'Where the page would be empty, how long the answer waits for an event; not with starting_after. It may come earlier and empty where too many wait.',
}).default(0)

/** Query of GET /v1/events. */
export const listEventsQuery = listQuery(eventId, {
  type: type.optional(),
  wait_seconds: waitSeconds,
})

/** `{id}` of a path below /v1/events. */
export const eventIdParameter: PathParameter<string> = {
  schema: eventId,
  notFound: 'event_not_found',
}

/** Any event: the envelope that deliveries carry (spec, "Event envelope"). */
export const eventSchema = z
  .discriminatedUnion('type', envelopes())
  .meta({ id: 'Event', description: 'What a delivery carries.' })

export const eventListSchema = listOf(eventSchema).meta({ id: 'EventList' })

const eventTypeSchema = z
  .strictObject({
    object: z.literal('event_type'),
    type,
    description: z.string().meta({ description: 'When it is sent.' }),
    is_subscribable: z.boolean().meta({
      description: 'Whether a webhook endpoint can ask for it; webhook.test comes anyway.',
    }),
    is_sent: z.boolean().meta({ description: 'False: reserved.' }),
    schema: z
      .record(z.string(), z.unknown())
      .meta({ description: 'JSON Schema 2020-12 of the whole event, with an example.' }),
  })
  .meta({ id: 'EventType' })

export const eventTypeListSchema = listOf(eventTypeSchema).meta({ id: 'EventTypeList' })

type Envelope = (typeof EVENT_CATALOG)[number]['envelope']

/** As zod wants them: at least one. */
function envelopes(): [Envelope, ...Envelope[]] {
  const [first, ...others] = EVENT_CATALOG.map(({ envelope }) => envelope)
  if (!first) throw new Error('there are no event types')
  return [first, ...others]
}
