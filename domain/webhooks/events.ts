import { isoUtc } from '../timestamps.ts'

/** The event types that an endpoint can subscribe to (contract, "Event types"). */
export const SUBSCRIBABLE_EVENT_TYPES = [
  'video.created',
  'video.ready',
  'video.failed',
  'video.deleted',
  'caption.ready',
  'security.event',
  'payment.paid',
  'usage.threshold_reached',
] as const

export type SubscribableEventType = (typeof SUBSCRIBABLE_EVENT_TYPES)[number]

/** All event types. Only the test operation sends `webhook.test`; endpoints cannot subscribe to it. */
export const EVENT_TYPES = [...SUBSCRIBABLE_EVENT_TYPES, 'webhook.test'] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** The exact `data` of each event type (contract, "Event types"). */
export interface EventData {
  'video.created': { id: string; object: 'video'; status: 'processing' }
  'video.ready': { id: string; object: 'video'; status: 'ready' }
  'video.failed': { id: string; object: 'video'; status: 'failed'; error: string }
  'video.deleted': { id: string; object: 'video' }
  'caption.ready': {
    id: string
    object: 'video'
    captions: { label: string; language_code: string }[]
  }
  'security.event': {
    id: number
    object: 'security_event'
    event_type: string
    severity: SecuritySeverity
    video_id: string | null
    viewer_id: string | null
  }
  'payment.paid': {
    id: number
    object: 'payment'
    amount: number
    plan_type: string
    billing_cycle: string
  }
  'usage.threshold_reached': Record<string, never>
  'webhook.test': { object: 'test'; message: string }
}

export const SECURITY_SEVERITIES = ['low', 'medium', 'high'] as const

export type SecuritySeverity = (typeof SECURITY_SEVERITIES)[number]

/** The body of a delivery (contract, "Event envelope"). */
export interface EventEnvelope<T extends EventType = EventType> {
  id: string
  type: T
  created_at: string
  data: EventData[T]
}

/** Returns the envelope of an event, with its fields in the order in which they are sent. */
export const eventEnvelope = <T extends EventType>(
  id: string,
  type: T,
  createdAt: Date,
  data: EventData[T],
): EventEnvelope<T> => ({ id, type, created_at: isoUtc(createdAt), data })

/** True for the name of an event type. */
export const isEventType = (name: string): name is EventType =>
  EVENT_TYPES.some((type) => type === name)

/** False for the reserved type, which is never sent (contract, "Event types"). */
export const isSent = (type: EventType): boolean => type !== 'usage.threshold_reached'

/** True for a type that POST /v1/webhook-endpoints accepts. */
export const isSubscribable = (name: string): name is SubscribableEventType =>
  SUBSCRIBABLE_EVENT_TYPES.some((type) => type === name)

/** Returns an example of each event's `data`. Examples about a video have this id. */
export function exampleEventData(videoId: string): EventData {
  const video = { id: videoId, object: 'video' } as const
  return {
    'video.created': { ...video, status: 'processing' },
    'video.ready': { ...video, status: 'ready' },
    'video.failed': { ...video, status: 'failed', error: 'The link did not respond.' },
    'video.deleted': video,
    'caption.ready': { ...video, captions: [{ label: 'Portuguese', language_code: 'pt-BR' }] },
    'security.event': {
      id: 17,
      object: 'security_event',
      event_type: 'viewer_token_required',
      severity: 'medium',
      video_id: video.id,
      viewer_id: null,
    },
    'payment.paid': {
      id: 3,
      object: 'payment',
      amount: 4900,
      plan_type: 'pro',
      billing_cycle: 'monthly',
    },
    'usage.threshold_reached': {},
    'webhook.test': { object: 'test', message: 'A test of this webhook endpoint.' },
  }
}
