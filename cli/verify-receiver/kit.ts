import type { EventType } from '../../domain/events.ts'
import { createWebhookSecret, webhookHeaders } from '../../security/webhook-signature.ts'
import { newVideoId, sampleEvent } from './sample-events.ts'

/** One request, signed or forged, ready to be sent. */
export interface Delivery {
  /** What is special about it, among the others of its check. */
  what: string
  method: 'POST' | 'GET'
  headers: Record<string, string>
  body: string
  /** Sends the body in so many pieces, with a pause between two. */
  pieces?: number
}

interface ToSign {
  what?: string
  deliveryId?: number
  /** The exact bytes of an event; one of the receiver's first type unless a check says otherwise. */
  body?: string
  /** How old `t` is; negative for the future. */
  ageSeconds?: number
  /** The receiver's own unless a check says otherwise. */
  secrets?: string[]
}

/** What checks make their deliveries with. */
export interface Kit {
  /** The event types that the receiver is for. */
  types: EventType[]
  secret: string
  /** A secret that the receiver does not know. */
  otherSecret: string
  /** The JSON of an event, by default of the receiver's first type and of a new video. */
  body: (type?: EventType, videoId?: string) => string
  /** A delivery that is signed as the product signs. */
  sign: (delivery?: ToSign) => Delivery
}

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
      const event = JSON.parse(bytes) as { id: string; type: string }
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
