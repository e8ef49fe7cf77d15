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

const SENT_WHEN: Record<EventType, string> = {
  'video.created': 'The source was downloaded and handed to encoding.',
  'video.ready': 'Every resolution is encoded.',
  'video.failed': 'Ingest or encoding failed; may be sent twice for one video.',
  'video.deleted': 'A video was deleted through the API.',
  'caption.ready': 'The caption list changed; the whole list, which may be empty.',
  'security.event': 'A security event was recorded.',
  'payment.paid': 'A payment settled.',
  'usage.threshold_reached': 'Reserved: can be subscribed to, and is not sent.',
  'webhook.test': 'Asked for by the test endpoint; cannot be subscribed to.',
}

/** Each event type with the schema of its envelope (spec, "Event envelope"). */
export const WEBHOOK_EVENTS = (Object.keys(DATA) as EventType[]).map((type) => ({
  type,
  sentWhen: SENT_WHEN[type],
  envelope: z
    .strictObject({
      id: z.string().meta({ description: 'For de-duplication.', example: 'evt_5f0c' }),
      type: z.literal(type),
      created_at: timestamp('When it happened.'),
      data: DATA[type],
    })
    .meta({ id: `Event_${type.replace('.', '_')}` }),
}))
