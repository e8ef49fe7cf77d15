import { z } from 'zod'
import { EVENT_TYPES, isSent, isSubscribable } from '../../domain/events.ts'
import type { EventType } from '../../domain/events.ts'
import { withoutSafeBounds } from '../openapi/safe-bounds.ts'
import { envelopeOf } from './event-schemas.ts'
import { exampleOf } from './examples.ts'

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

/** Each event type: when it is sent, an example, and its envelope as zod and as JSON Schema. */
export const EVENT_CATALOG = EVENT_TYPES.map((type) => {
  const envelope = envelopeOf(type)
  const example = exampleOf(type)
  return {
    type,
    sentWhen: SENT_WHEN[type],
    isSubscribable: isSubscribable(type),
    isSent: isSent(type),
    example,
    /** Named, for the OpenAPI document. */
    envelope: envelope.meta({ id: `Event_${type.replace('.', '_')}` }),
    /** JSON Schema 2020-12 that needs nothing beside it. */
    jsonSchema: { ...jsonSchemaOf(envelope), title: type, examples: [example] },
  }
})

function jsonSchemaOf(envelope: z.ZodType): Record<string, unknown> {
  const override: Parameters<typeof z.toJSONSchema>[1] = {
    override: ({ jsonSchema }) => {
      withoutSafeBounds({ jsonSchema })
      // The word of OpenAPI; JSON Schema has a list.
      const { example } = jsonSchema
      delete jsonSchema.example
      if (example !== undefined) jsonSchema.examples = [example]
    },
  }
  return z.toJSONSchema(envelope, override)
}
