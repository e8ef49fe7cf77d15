import type { Database } from '../db/database.ts'
import { failDelivery } from '../db/deliveries.ts'

/**
 * Ends a delivery whose workflow was cancelled, so that the sweep does not start it again; one that
 * has ended, or is gone with its endpoint, stays as it is. Safe to run twice.
 */
export function createCancelDelivery({ db }: { db: Database }) {
  return async function cancelDelivery({ deliveryId }: { deliveryId: number }): Promise<void> {
    await failDelivery(db.em.fork(), deliveryId, 'cancelled')
  }
}
