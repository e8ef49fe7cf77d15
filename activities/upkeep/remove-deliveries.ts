import type { Client } from '@temporalio/client'
import type { Database } from '../../db/database.ts'
import { findPendingOf } from '../../db/upkeep/retention.ts'
import { deleteDeliveries } from '../../db/upkeep/write-retention.ts'
import { deliveryWorkflowId } from '../../domain/workflow-ids.ts'
import { clientsOf, deliveryPlaces } from '../../temporal/delivery-places.ts'
import { terminateWorkflows } from '../../temporal/workflow-runs.ts'

export interface RemoveDeliveriesDeps {
  db: Database
  client: Client
  /** The namespace of the workflows of deliveries. */
  deliveriesNamespace: string
}

/**
 * Deletes deliveries of a deleted account or endpoint, the pending ones after their workflow is terminated, wherever it runs. A run
 * that is killed leaves the rows from which the next one finds the workflows. Histories end by the retention of their namespace.
 */
export async function removeDeliveries(
  { db, client, deliveriesNamespace }: RemoveDeliveriesDeps,
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return
  const pending = (await findPendingOf(db.em.fork(), ids)).map(deliveryWorkflowId)
  for (const place of clientsOf(deliveryPlaces(client, deliveriesNamespace, true)))
    await terminateWorkflows(place, pending)
  await deleteDeliveries(db.em.fork(), ids)
}
