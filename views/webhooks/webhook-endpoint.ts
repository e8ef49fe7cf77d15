import { z } from 'zod'
import type { WebhookEndpoint } from '../../db/entities/event.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { deletedSchema, listSchema } from '../list.ts'
import { rowId, timestamp } from '../values.ts'

const disabledReason = z.enum(['owner', 'failures', 'gone']).meta({ id: 'WebhookDisabledReason' })

const facts = {
  id: rowId,
  object: z.literal('webhook_endpoint'),
  url: z.string().meta({ example: 'https://www.example.com/hooks/video' }),
  events: z.array(z.string()).meta({ example: ['video.ready', 'video.failed'] }),
  description: z.string(),
  is_active: z.boolean(),
  disabled_reason: disabledReason
    .nullable()
    .meta({ description: 'Why it is off: owner (by PATCH), failures, or gone (a 410).' }),
  failure_count: z.int().meta({ description: 'Consecutive failed attempts.' }),
  previous_secret_expires_at: timestamp(
    'Until then, deliveries also have the signature of a previous secret. Null: only the current secret signs.',
  ).nullable(),
  created_at: timestamp('When the endpoint was created.'),
  updated_at: timestamp('When it was last changed.'),
}

/** The webhook endpoint object with its secret: in the responses to its creation and to a rotation. */
export const createdWebhookEndpointSchema = z
  .strictObject({
    ...facts,
    secret: z.string().meta({ description: 'Signing secret, shown only once.' }),
  })
  .meta({ id: 'CreatedWebhookEndpoint' })

/** Whether a secret is the current one of an endpoint. */
export const webhookSecretCheckSchema = z
  .strictObject({
    object: z.literal('webhook_secret_check'),
    is_current: z.boolean().meta({ description: 'False if another secret has replaced it.' }),
  })
  .meta({ id: 'WebhookSecretCheck' })

/** The webhook endpoint object (contract, "Webhook endpoint"). */
export const webhookEndpointSchema = z.strictObject(facts).meta({ id: 'WebhookEndpoint' })

export const webhookEndpointListSchema = listSchema(webhookEndpointSchema).meta({
  id: 'WebhookEndpointList',
})
export const deletedWebhookEndpointSchema = deletedSchema('webhook_endpoint', rowId).meta({
  id: 'DeletedWebhookEndpoint',
})

/** The webhook endpoint object, without its secret. */
export const webhookEndpointView = (
  endpoint: WebhookEndpoint,
): z.output<typeof webhookEndpointSchema> => ({
  id: endpoint.id,
  object: 'webhook_endpoint',
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description,
  is_active: endpoint.isActive,
  disabled_reason: endpoint.disabledReason,
  failure_count: endpoint.failureCount,
  previous_secret_expires_at: previousSecretExpiresAt(endpoint),
  created_at: isoUtc(endpoint.createdAt),
  updated_at: isoUtc(endpoint.updatedAt),
})

/** The webhook endpoint object with its secret. */
export const createdWebhookEndpointView = ({
  endpoint,
  secret,
}: {
  endpoint: WebhookEndpoint
  secret: string
}): z.output<typeof createdWebhookEndpointSchema> => ({ ...webhookEndpointView(endpoint), secret })

/** When the last of the previous secrets stops signing; null if none signs. */
function previousSecretExpiresAt({ previousSecrets }: WebhookEndpoint): string | null {
  const latestMs = Math.max(0, ...previousSecrets.map((secret) => Date.parse(secret.valid_until)))
  return latestMs > Date.now() ? isoUtc(new Date(latestMs)) : null
}
