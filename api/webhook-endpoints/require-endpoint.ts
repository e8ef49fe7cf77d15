import type { EntityManager } from '../../db/database.ts'
import type { WebhookEndpoint } from '../../db/entities/event.ts'
import { findWebhookEndpoint } from '../../db/webhook-endpoints.ts'
import { ApiError } from '../api-error.ts'

/** The account's endpoint. Throws webhook_endpoint_not_found. */
export async function requireEndpoint(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<WebhookEndpoint> {
  const found = await findWebhookEndpoint(em, accountId, id)
  if (!found) throw new ApiError('webhook_endpoint_not_found')
  return found
}
