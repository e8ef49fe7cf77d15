import { z } from 'zod'
import { DESCRIPTION_MAX_LENGTH, WEBHOOK_SECRET_OVERLAP_MAX_SECONDS } from '../../domain/limits.ts'
import { SUBSCRIBABLE_EVENT_TYPES } from '../../domain/webhooks/events.ts'
import { listQuery, rowIdInQuery, rowIdParameter } from '../../http/list.ts'
import { text } from '../../http/text.ts'

const EVENTS_MAX = 100

const url = z.string().meta({
  description: 'https on port 443 or 8443, on a host with public addresses only.',
  example: 'https://www.example.com/hooks/video',
})
/** An unknown event has its own error code, so any text is accepted here. */
const events = z
  .array(z.string().meta({ id: 'SubscribableEventType', enum: [...SUBSCRIBABLE_EVENT_TYPES] }))
  .min(1)
  .max(EVENTS_MAX)
const description = text({
  maxLength: DESCRIPTION_MAX_LENGTH,
  mayBeEmpty: true,
  description: 'Internal note; never sent to the endpoint.',
  example: 'Library, production',
})

/** Body of POST /v1/webhook-endpoints. */
export const createWebhookEndpointBody = z.strictObject({
  url,
  events,
  description: description.optional(),
})

/** Body of PATCH /v1/webhook-endpoints/{id}. Omitted fields keep their values. */
export const updateWebhookEndpointBody = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  description: description.optional(),
  is_active: z.boolean().optional().meta({
    description:
      'True switches it on and sets failure_count to 0; false ends its pending deliveries.',
  }),
})

/** Body of POST /v1/webhook-endpoints/{id}/rotate-secret. */
export const rotateSecretBody = z.strictObject({
  overlap_seconds: z.int().min(0).max(WEBHOOK_SECRET_OVERLAP_MAX_SECONDS).optional().meta({
    default: 0,
    description:
      'How long the replaced secret also signs. 0: only the new secret signs, and earlier overlaps end too.',
    example: 3600,
  }),
})

export const endpointIdParameter = rowIdParameter('webhook_endpoint_not_found')
export const listEndpointsQuery = listQuery(rowIdInQuery, {})
