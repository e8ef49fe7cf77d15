import { z } from 'zod'
import type { EventBody } from '../../db/webhooks/events.ts'
import { EVENT_TYPES, type EventData, type EventType } from '../../domain/webhooks/events.ts'
import { paymentFacts } from '../accounts/payment.ts'
import { listSchema } from '../list.ts'
import { securityEventFacts } from '../playback/security-event.ts'
import { timestamp } from '../values.ts'
import { videoId } from '../videos/video.ts'

const ofVideo = { id: videoId, object: z.literal('video') }

/** The exact `data` of each event type (contract, "Event types"). */
const DATA = {
  'video.created': z.strictObject({ ...ofVideo, status: z.literal('processing') }),
  'video.ready': z.strictObject({ ...ofVideo, status: z.literal('ready') }),
  'video.failed': z.strictObject({ ...ofVideo, status: z.literal('failed'), error: z.string() }),
  'video.deleted': z.strictObject(ofVideo),
  'caption.ready': z.strictObject({
    ...ofVideo,
    captions: z.array(z.strictObject({ label: z.string(), language_code: z.string() })),
  }),
  'security.event': z.strictObject(securityEventFacts),
  'payment.paid': z.strictObject(paymentFacts),
  'usage.threshold_reached': z.strictObject({}),
  'webhook.test': z.strictObject({ object: z.literal('test'), message: z.string() }),
} satisfies { [T in EventType]: z.ZodType<EventData[T]> }

/** The type of an event. */
export const eventTypeName = z.enum(EVENT_TYPES).meta({ id: 'EventTypeName' })

/** An event's id: `evt_` and 32 characters of lowercase hex. */
export const eventId = z
  .string()
  .regex(/^evt_[0-9a-f]{32}$/, 'must be an event id: evt_ and 32 characters of lowercase hex')
  .meta({ description: 'Event id.', example: 'evt_3f1c9a7be04d5628c1d05f0c2f7be04d' })

const createdAt = timestamp('When the event occurred.')

/** The envelope of an event of `type` (contract, "Event envelope"). */
export const envelopeOf = (type: EventType) =>
  z.strictObject({
    id: eventId.meta({ description: 'For de-duplication.' }),
    type: z.literal(type),
    created_at: createdAt,
    data: DATA[type],
  })

/** The envelope, named for the OpenAPI document. */
const namedEnvelopeOf = (type: EventType) =>
  envelopeOf(type).meta({ id: `Event_${type.replace('.', '_')}` })

const [firstType, ...otherTypes] = EVENT_TYPES

/** An event of any type: the envelope that deliveries carry (contract, "Event envelope"). */
export const eventSchema = z
  .discriminatedUnion('type', [namedEnvelopeOf(firstType), ...otherTypes.map(namedEnvelopeOf)])
  .meta({ id: 'Event', description: 'The body of a delivery.' })

export const eventListSchema = listSchema(eventSchema).meta({ id: 'EventList' })

/** The event, exactly as its deliveries send it. */
export const eventView = ({ body }: EventBody): z.output<typeof eventSchema> => JSON.parse(body)
