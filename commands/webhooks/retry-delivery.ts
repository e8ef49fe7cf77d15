import type { EntityManager } from '../../db/database.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import {
  findPendingDelivery,
  lockDeliveryToRetry,
  type DeliveryToRetry,
} from '../../db/webhooks/retried-deliveries.ts'
import { insertDelivery, recordRetryRequest } from '../../db/webhooks/write-webhook-deliveries.ts'
import { MANUAL_ATTEMPTS_MAX } from '../../domain/webhooks/webhook-delivery.ts'
import { Refusal } from '../refusal.ts'

/**
 * Sends a delivery now (ADR 0020). A delivery that waits for its next attempt gets an attempt outside its
 * schedule, 20 at most; further requests until it is recorded are the same one. One that has ended is repeated by a new delivery of the same event, so that no
 * delivery has a sixth scheduled attempt (contract, "Webhook delivery"); if such a repetition is pending, its
 * id is returned. Call it in a transaction. Returns the id of the delivery that is sent. Refuses with
 * `webhook_delivery_not_found`, `webhook_endpoint_inactive` and `too_many_webhook_retries`.
 */
export async function retryDelivery(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<number> {
  const delivery = await lockDeliveryToRetry(em, accountId, id)
  if (!delivery) throw new Refusal('webhook_delivery_not_found')
  if (delivery.status === 'pending' && !delivery.isCutOff) {
    if (!delivery.isWaiting) return id
    if (delivery.manualCount >= MANUAL_ATTEMPTS_MAX) throw new Refusal('too_many_webhook_retries')
    if (await recordRetryRequest(em, id))
      await requestWorkflows(em, [{ command: 'retry-delivery', subjectId: String(id), accountId }])
    return id
  }
  if (!delivery.isActive && delivery.eventType !== 'webhook.test')
    throw new Refusal('webhook_endpoint_inactive')
  return (await findPendingDelivery(em, delivery)) ?? (await repeat(em, accountId, id, delivery))
}

async function repeat(
  em: EntityManager,
  accountId: number,
  retryOf: number,
  { endpointId, eventId, eventNumber, eventType }: DeliveryToRetry,
): Promise<number> {
  const delivery = { accountId, endpointId, eventId, eventNumber, eventType, retryOf }
  const id = await insertDelivery(em, delivery)
  await requestWorkflows(em, [{ command: 'deliver-webhook', subjectId: String(id), accountId }])
  return id
}
