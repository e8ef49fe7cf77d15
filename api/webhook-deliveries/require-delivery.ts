import type { EntityManager } from '../../db/database.ts'
import { findDelivery } from '../../db/webhook-deliveries.ts'
import type { DeliveryWithAttempts } from '../../db/webhook-deliveries.ts'
import { ApiError } from '../api-error.ts'

/** The account's delivery with its attempts. Throws webhook_delivery_not_found. */
export async function requireDelivery(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<DeliveryWithAttempts> {
  const found = await findDelivery(em, accountId, id)
  if (!found) throw new ApiError('webhook_delivery_not_found')
  return found
}
