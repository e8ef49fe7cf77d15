import { z } from 'zod'
import { SECURITY_SEVERITIES } from '../../domain/events.ts'
import type { EventData, EventType } from '../../domain/events.ts'
import { rowId } from '../list.ts'
import { timestamp } from '../text.ts'
import { videoId } from '../videos/schemas.ts'

const ofVideo = { id: videoId, object: z.literal('video') }

/** The exact `data` of each event type (spec, "Event types"). */
const DATA = {
  'video.created': z.strictObject({ ...ofVideo, status: z.literal('processing') }),
  'video.ready': z.strictObject({ ...ofVideo, status: z.literal('ready') }),
  'video.failed': z.strictObject({
    ...ofVideo,
    status: z.literal('failed'),
    error: z.string(),
  }),
  'video.deleted': z.strictObject(ofVideo),
  'caption.ready': z.strictObject({
    ...ofVideo,
    captions: z.array(z.strictObject({ label: z.string(), language_code: z.string() })),
  }),
  'security.event': z.strictObject({
    id: rowId,
    object: z.literal('security_event'),
    event_type: z.string(),
    severity: z.enum(SECURITY_SEVERITIES),
    video_id: z.string().nullable(),
    viewer_id: z.string().nullable(),
  }),
  'payment.paid': z.strictObject({
    id: rowId,
    object: z.literal('payment'),
    amount: z.int().meta({ description: 'In the smallest unit of its currency.' }),
    plan_type: z.string(),
    billing_cycle: z.string(),
  }),
  'usage.threshold_reached': z.strictObject({}),
  'webhook.test': z.strictObject({ object: z.literal('test'), message: z.string() }),
} satisfies { [T in EventType]: z.ZodType<EventData[T]> }

/** An event's id: `evt_` and 32 characters of lowercase hex. */
export const eventId = z
  .string()
  .regex(/^evt_[0-9a-f]{32}$/, 'must be an event id: evt_ and 32 characters of lowercase hex')
  .meta({ description: 'Event id.', example: 'evt_3f1c9a7be04d5628c1d05f0c2f7be04d' })

const createdAt = timestamp('When it happened.')

/** The envelope of an event of `type` (spec, "Event envelope"). */
export const envelopeOf = (type: EventType) =>
  z.strictObject({
    id: eventId.meta({ description: 'For de-duplication.' }),
    type: z.literal(type),
    created_at: createdAt,
    data: DATA[type],
  })
