import { isoUtc } from './timestamps.ts'

/** The event types an endpoint can subscribe to (spec, "Event types"). */
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

/** `webhook.test` comes from the test endpoint only and cannot be subscribed to. */
export const EVENT_TYPES = [...SUBSCRIBABLE_EVENT_TYPES, 'webhook.test'] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** The exact `data` of each event type. */
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

/** What a receiver gets as the body of a delivery (spec, "Event envelope"). */
export interface EventEnvelope<T extends EventType = EventType> {
  id: string
  type: T
  created_at: string
  data: EventData[T]
}

/** The envelope of an event, its fields in the order in which they are sent. */
export const eventEnvelope = <T extends EventType>(
  id: string,
  type: T,
  createdAt: Date,
  data: EventData[T],
): EventEnvelope<T> => ({ id, type, created_at: isoUtc(createdAt), data })

/** True for the name of an event type. */
export const isEventType = (name: string): name is EventType =>
  (EVENT_TYPES as readonly string[]).includes(name)

/** False for the type that is reserved (spec, "Event types"). */
export const isSent = (type: EventType): boolean => type !== 'usage.threshold_reached'

/** True for a type that POST /v1/webhook-endpoints accepts. */
export const isSubscribable = (type: string): type is SubscribableEventType =>
  (SUBSCRIBABLE_EVENT_TYPES as readonly string[]).includes(type)
