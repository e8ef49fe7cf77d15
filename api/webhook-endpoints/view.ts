import type { WebhookEndpoint } from '../../db/entities/event.ts'
import { isoUtc } from '../../domain/timestamps.ts'

/** The webhook endpoint object (spec, "Webhook endpoint"), without its secret. */
export function webhookEndpointView(endpoint: WebhookEndpoint) {
  return {
    id: endpoint.id,
    object: 'webhook_endpoint',
    url: endpoint.url,
    events: endpoint.events,
    is_active: endpoint.isActive,
    failure_count: endpoint.failureCount,
    created_at: isoUtc(endpoint.createdAt),
    updated_at: isoUtc(endpoint.updatedAt),
  }
}
