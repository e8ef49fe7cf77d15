import { z } from 'zod'
import {
  eventEnvelope,
  exampleEventData,
  isSent,
  isSubscribable,
  type EventEnvelope,
  type EventType,
} from '../../domain/webhooks/events.ts'
import { listSchema } from '../list.ts'
import { withoutSafeBounds } from '../values.ts'
import { envelopeOf, eventSchema, eventTypeName } from './event.ts'

const SENT_WHEN: Record<EventType, string> = {
  'video.created': 'The source was downloaded and encoding begins.',
  'video.ready': 'Every resolution is encoded.',
  'video.failed': 'Ingest or encoding failed; may be sent twice for one video.',
  'video.deleted': 'A video was deleted through the API.',
  'caption.ready': 'The caption list changed; contains the whole list, which can be empty.',
  'security.event': 'A security event was recorded.',
  'payment.paid': 'A payment settled.',
  'usage.threshold_reached': 'Reserved: endpoints can subscribe to it, but it is not sent.',
  'webhook.test': 'The test operation of an endpoint was called; endpoints cannot subscribe to it.',
}

const EXAMPLE_DATA = exampleEventData('3f1c9a7be04d5628c1d0')
const EXAMPLE_ID = 'evt_3f1c9a7be04d5628c1d05f0c2f7be04d'
const EXAMPLE_CREATED_AT = new Date('2026-11-21T09:30:00Z')

/** A whole event of a type, for the documentation; a test checks each against its schema. */
export const exampleOf = <T extends EventType>(type: T): EventEnvelope<T> =>
  eventEnvelope(EXAMPLE_ID, type, EXAMPLE_CREATED_AT, EXAMPLE_DATA[type])

/** What schemas say of themselves, without the names by which the OpenAPI document refers to them. */
class WithoutNames extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType) {
    const meta = z.globalRegistry.get(schema)
    return meta && { ...meta, id: undefined }
  }
}

/** Each event type: when it is sent, an example, and its envelope as zod and as JSON Schema. */
export const EVENT_CATALOG = eventSchema.options.map((envelope) => {
  const type = envelope.shape.type.value
  const example = exampleOf(type)
  return {
    type,
    sentWhen: SENT_WHEN[type],
    isSubscribable: isSubscribable(type),
    isSent: isSent(type),
    example,
    envelope,
    /** JSON Schema 2020-12 without references. */
    jsonSchema: { ...jsonSchemaOf(envelopeOf(type)), title: type, examples: [example] },
  }
})

function jsonSchemaOf(envelope: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(envelope, {
    metadata: new WithoutNames(),
    override: ({ jsonSchema }) => {
      withoutSafeBounds({ jsonSchema })
      // `example` belongs to OpenAPI; JSON Schema has a list of examples.
      const { example } = jsonSchema
      delete jsonSchema.example
      if (example !== undefined) jsonSchema.examples = [example]
    },
  })
}

const eventTypeSchema = z
  .strictObject({
    object: z.literal('event_type'),
    type: eventTypeName,
    description: z.string().meta({ description: 'When it is sent.' }),
    is_subscribable: z.boolean().meta({
      description:
        'Whether webhook endpoints can subscribe to it; webhook.test needs no subscription.',
    }),
    is_sent: z.boolean().meta({ description: 'False: reserved, never sent.' }),
    schema: z
      .record(z.string(), z.unknown())
      .meta({ description: 'JSON Schema 2020-12 of the whole event, with an example.' }),
  })
  .meta({ id: 'EventType' })

export const eventTypeListSchema = listSchema(eventTypeSchema).meta({ id: 'EventTypeList' })

/** One entry of the catalog. */
export const eventTypeView = (
  entry: (typeof EVENT_CATALOG)[number],
): z.output<typeof eventTypeSchema> => ({
  object: 'event_type',
  type: entry.type,
  description: entry.sentWhen,
  is_subscribable: entry.isSubscribable,
  is_sent: entry.isSent,
  schema: entry.jsonSchema,
})
