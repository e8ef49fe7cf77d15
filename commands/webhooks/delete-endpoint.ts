import type { EntityManager } from '../../db/database.ts'
import { requestCancellations } from '../../db/webhook-deliveries.ts'
import { deleteWebhookEndpoint, lockWebhookEndpoint } from '../../db/webhook-endpoints.ts'
import { notifyRelay } from '../../db/workflow-requests.ts'

/**
 * Deletes an endpoint with its deliveries and ends the workflows of the pending ones (contract, "Webhook
 * delivery"). Call it in a transaction. Returns false if the account has no such endpoint.
 */
export async function deleteEndpoint(
  em: EntityManager,
  accountId: number,
  endpointId: number,
): Promise<boolean> {
  if (!(await lockWebhookEndpoint(em, accountId, endpointId))) return false
  await requestCancellations(em, endpointId)
  await deleteWebhookEndpoint(em, endpointId)
  await notifyRelay(em)
  return true
}
