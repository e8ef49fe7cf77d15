import type { EntityManager } from '../../db/database.ts'
import { endPendingDeliveries } from '../../db/delivery-cancellations.ts'
import { deactivateWebhookEndpoint } from '../../db/webhook-endpoints.ts'
import { notifyRelay } from '../../db/workflow-requests.ts'
import type { DisabledReason } from '../../domain/webhook-delivery.ts'
import { recordSecurityEvent } from '../security-events/record-security-event.ts'

export interface EndpointToDisable {
  accountId: number
  endpointId: number
  reason: DisabledReason
}

/**
 * Disables an endpoint. Its pending deliveries end as `endpoint_disabled`, with their workflows, except those
 * of webhook.test, which are always sent. A security event announces it unless the owner did it. Call it in a
 * transaction: like all transactions, it locks the endpoint before its deliveries. Returns false if it was disabled.
 */
export async function disableEndpoint(
  em: EntityManager,
  { accountId, endpointId, reason }: EndpointToDisable,
): Promise<boolean> {
  const disabled = await deactivateWebhookEndpoint(em, accountId, endpointId, reason)
  if (!disabled) return false
  if ((await endPendingDeliveries(em, endpointId)) > 0) await notifyRelay(em)
  if (reason !== 'owner')
    await recordSecurityEvent(em, {
      accountId,
      eventType: 'webhook_endpoint_disabled',
      severity: 'medium',
      videoId: null,
      viewerId: null,
      details: { endpoint_id: endpointId, failure_count: disabled.failureCount, reason },
    })
  return true
}
