import { z } from 'zod'
import { SUBSCRIBABLE_EVENT_TYPES } from '../../domain/events.ts'
import { DESCRIPTION_MAX_LENGTH, WEBHOOK_SECRET_OVERLAP_MAX_SECONDS } from '../../domain/limits.ts'
import { listQuery, rowIdInQuery, rowIdParameter } from '../list.ts'
import { text } from '../text.ts'

const EVENTS_MAX = 100

const url = z.string().meta({
  description: 'https, port 443 or 8443, public addresses alone.',
  example: 'https://www.example.com/hooks/video',
})
/** Which events there are has a code of its own. */
const events = z
  .array(z.string().meta({ enum: [...SUBSCRIBABLE_EVENT_TYPES] }))
  .min(1)
  .max(EVENTS_MAX)
const description = text({
  maxLength: DESCRIPTION_MAX_LENGTH,
  mayBeEmpty: true,
  description: 'For yourself; it is sent nowhere.',
  example: 'Library, production',
})

/** Body of POST /v1/webhook-endpoints. */
export const createWebhookEndpointBody = z.strictObject({
  url,
  events,
  description: description.optional(),
})

/** Body of PATCH /v1/webhook-endpoints/{id}; what is left out stays. */
export const updateWebhookEndpointBody = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  description: description.optional(),
  is_active: z.boolean().optional().meta({
    description: 'True switches it on and sets failure_count to 0; false ends what waits for it.',
  }),
})

/** Body of POST /v1/webhook-endpoints/{id}/rotate-secret. */
export const rotateSecretBody = z.strictObject({
  overlap_seconds: z.int().min(0).max(WEBHOOK_SECRET_OVERLAP_MAX_SECONDS).optional().meta({
    default: 0,
    description:
      'How long the secret that is replaced signs beside the new one. 0: from now on there is one signature, by the new secret, and earlier overlaps end too.',
    example: 3600,
  }),
})

export const endpointIdParameter = rowIdParameter('webhook_endpoint_not_found')
export const listEndpointsQuery = listQuery(rowIdInQuery, {})
