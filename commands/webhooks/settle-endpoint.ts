import type { EntityManager } from '../../db/database.ts'
import { ringAfterCommit } from '../../db/outbox/relay-alarm.ts'
import type { UnsettledEndpoint } from '../../db/webhooks/endpoint-settlement.ts'
import { endPendingDeliveries } from '../../db/webhooks/write-delivery-cancellations.ts'
import { deleteEndpointRow, endCutOff } from '../../db/webhooks/write-endpoint-settlement.ts'

/**
 * Ends up to `limit` deliveries of a disabled endpoint that waited when it was disabled, and requests the cancellation of
 * their workflows; returns how many. When none is left, the endpoint is settled.
 */
export async function endCutOffDeliveries(
  em: EntityManager,
  endpoint: UnsettledEndpoint,
  limit: number,
): Promise<number> {
  const { cutOffAt } = endpoint
  const count = await em.transactional(async (tx) => {
    const ended = await endPendingDeliveries(tx, endpoint, limit, cutOffAt ?? undefined)
    if (ended > 0) ringAfterCommit(tx)
    return ended
  })
  if (count === 0) await endCutOff(em, endpoint)
  return count
}

/** Removes the row of a deleted endpoint, once its deliveries are deleted. */
export const removeEndpoint = (em: EntityManager, endpointId: number): Promise<void> =>
  deleteEndpointRow(em, endpointId)
