import type { EntityManager } from '../../db/database.ts'
import { ringAfterCommit } from '../../db/outbox/relay-alarm.ts'
import {
  endPendingDeliveries,
  type DisabledEndpoint,
} from '../../db/webhooks/write-delivery-cancellations.ts'
import { cutOffDeliveries } from '../../db/webhooks/write-endpoint-settlement.ts'
import { deactivateWebhookEndpoint } from '../../db/webhooks/write-webhook-endpoints.ts'
import type { DisabledReason } from '../../domain/webhooks/webhook-delivery.ts'
import { recordSecurityEvent } from '../security-events/record-security-event.ts'
import { requestSettlement } from './request-settlement.ts'

/** How many deliveries end with the endpoint; a workflow ends the others, so that the transaction stays short. */
const ENDED_AT_ONCE = 500

export interface EndpointToDisable {
  accountId: number
  endpointId: number
  reason: DisabledReason
}

/**
 * Disables an endpoint. No delivery that waits is sent from then on, except those of webhook.test, which are always sent:
 * up to 500 end as `endpoint_disabled` in the transaction, with their workflows, others in the workflow of the endpoint,
 * also if the endpoint is active again by then. A security event announces it unless the owner did it. Call it in a
 * transaction: like all transactions, it locks the endpoint before its deliveries. Returns false if it was disabled.
 */
export async function disableEndpoint(
  em: EntityManager,
  { accountId, endpointId, reason }: EndpointToDisable,
): Promise<boolean> {
  const disabled = await deactivateWebhookEndpoint(em, accountId, endpointId, reason)
  if (!disabled) return false
  await endDeliveries(em, { accountId, endpointId })
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

async function endDeliveries(em: EntityManager, endpoint: DisabledEndpoint): Promise<void> {
  const count = await endPendingDeliveries(em, endpoint, ENDED_AT_ONCE)
  if (count > 0) ringAfterCommit(em)
  if (count < ENDED_AT_ONCE) return
  await cutOffDeliveries(em, endpoint.endpointId)
  await requestSettlement(em, endpoint)
}
