import { z } from 'zod'
import { SUBSCRIBABLE_EVENT_TYPES } from '../../domain/events.ts'
import { rowId } from '../list.ts'
import { timestamp } from '../text.ts'

const EVENTS_MAX = 100

/** Body of POST /v1/webhook-endpoints. Which events there are has a code of its own. */
export const createWebhookEndpointBody = z.strictObject({
  url: z.string().meta({
    description: 'https, port 443 or 8443, public addresses alone.',
    example: 'https://www.example.com/hooks/video',
  }),
  events: z
    .array(z.string().meta({ enum: [...SUBSCRIBABLE_EVENT_TYPES] }))
    .min(1)
    .max(EVENTS_MAX),
})

const facts = {
  id: rowId,
  object: z.literal('webhook_endpoint'),
  url: z.string().meta({ example: 'https://www.example.com/hooks/video' }),
  events: z.array(z.string()).meta({ example: ['video.ready', 'video.failed'] }),
  is_active: z.boolean(),
  failure_count: z.int().meta({ description: 'Failed attempts in a row.' }),
  created_at: timestamp('When the endpoint was created.'),
  updated_at: timestamp('When it was changed last.'),
}

/** The webhook endpoint object with its secret: in the answer to its creation and in no other. */
export const createdWebhookEndpointSchema = z
  .strictObject({
    ...facts,
    secret: z.string().meta({ description: 'Signing secret, shown this once.' }),
  })
  .meta({ id: 'CreatedWebhookEndpoint' })

/** The webhook endpoint object (spec, "Webhook endpoint"). */
export const webhookEndpointSchema = z.strictObject(facts).meta({ id: 'WebhookEndpoint' })
