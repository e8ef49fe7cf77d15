import type { z } from 'zod'
import type { WebhookEndpoint } from '../../db/entities/event.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import type { webhookEndpointSchema } from './schemas.ts'

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

/** When the last of the previous secrets stops signing; null where none signs. */
function previousSecretExpiresAt({ previousSecrets }: WebhookEndpoint): string | null {
  const latestMs = Math.max(0, ...previousSecrets.map((secret) => Date.parse(secret.valid_until)))
  return latestMs > Date.now() ? isoUtc(new Date(latestMs)) : null
}
