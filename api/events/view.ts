import type { z } from 'zod'
import type { EventBody } from '../../db/events.ts'
import { EVENT_CATALOG } from './catalog.ts'
import type { eventSchema, eventTypeListSchema } from './schemas.ts'

/** The event exactly as its deliveries carry it. */
export const eventView = ({ body }: EventBody) => JSON.parse(body) as z.output<typeof eventSchema>

type EventTypeView = z.output<typeof eventTypeListSchema>['data'][number]

/** One entry of the catalog. */
export const eventTypeView = (entry: (typeof EVENT_CATALOG)[number]): EventTypeView => ({
  object: 'event_type',
  type: entry.type,
  description: entry.sentWhen,
  is_subscribable: entry.isSubscribable,
  is_sent: entry.isSent,
  schema: entry.jsonSchema,
})
