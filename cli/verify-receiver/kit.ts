import { z } from 'zod'
import {
  EVENT_TYPES,
  eventEnvelope,
  exampleEventData,
  isSent,
  type EventEnvelope,
  type EventType,
} from '../../domain/webhooks/events.ts'
import { createWebhookSecret, webhookHeaders } from '../../security/webhook-signature.ts'

/** A signed or forged request. */
export interface Delivery {
  /** Names the delivery in the report of its check. */
  what: string
  method: 'POST' | 'GET'
  headers: Record<string, string>
  body: string
  /** Sends the body in this many pieces with pauses in between. */
  pieces?: number
}

interface ToSign {
  what?: string
  deliveryId?: number
  /** The exact body; by default an event of the receiver's first type. */
  body?: string
  /** Age of `t`; negative for the future. */
  ageSeconds?: number
  /** By default only the receiver's secret. */
  secrets?: string[]
}

/** Creates the deliveries of the checks. */
export interface Kit {
  /** The event types that the receiver handles. */
  types: EventType[]
  secret: string
  /** A secret that the receiver does not know. */
  otherSecret: string
  /** Returns the JSON of an event, by default of the receiver's first type and for a new video. */
  body: (type?: EventType, videoId?: string) => string
  /** Returns a signed delivery, like the product's. */
  sign: (delivery?: ToSign) => Delivery
}

const eventSchema = z.object({ id: z.string(), type: z.string() })

export function createKit(secret: string, types: EventType[]): Kit {
  const [first = 'webhook.test'] = types
  let deliveryId = 1_000_000
  const body = (type: EventType = first, videoId = newVideoId()) =>
    JSON.stringify(sampleEvent(type, videoId))
  return {
    types,
    secret,
    otherSecret: createWebhookSecret(),
    body,
    sign(toSign = {}) {
      deliveryId += 1
      const bytes = toSign.body ?? body()
      const event = eventSchema.parse(JSON.parse(bytes))
      const headers = webhookHeaders({
        deliveryId: toSign.deliveryId ?? deliveryId,
        eventId: event.id,
        eventType: event.type,
        body: bytes,
        secrets: toSign.secrets ?? [secret],
        nowSeconds: Math.floor(Date.now() / 1000) - (toSign.ageSeconds ?? 0),
      })
      return { what: toSign.what ?? event.type, method: 'POST', headers, body: bytes }
    },
  }
}

/** The event types that are sent; one type is only reserved. */
export const SENT_EVENT_TYPES: EventType[] = EVENT_TYPES.filter(isSent)

/** Returns a new random video id. */
export const newVideoId = (): string => randomHex().slice(0, 20)

/** Creates an event of this type with a new id, like the product. */
export const sampleEvent = <T extends EventType>(type: T, videoId: string): EventEnvelope<T> =>
  eventEnvelope(`evt_${randomHex()}`, type, new Date(), exampleEventData(videoId)[type])

const randomHex = (): string => crypto.randomUUID().replaceAll('-', '')
