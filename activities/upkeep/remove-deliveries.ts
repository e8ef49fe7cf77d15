import type { Client } from '@temporalio/client'
import type { Database } from '../../db/database.ts'
import { deleteDeliveries } from '../../db/upkeep/write-retention.ts'
import { deliveryWorkflowId } from '../../domain/workflow-ids.ts'
import { deleteWorkflows } from '../../temporal/workflow-runs.ts'

/**
 * Deletes deliveries, each after its workflow, so that a run that is killed leaves the row from which the next one finds
 * the workflow. A workflow that runs is terminated first.
 */
export async function removeDeliveries(
  { db, client }: { db: Database; client: Client },
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return
  await deleteWorkflows(
    client,
    ids.map((id) => ({ workflowId: deliveryWorkflowId(id) })),
  )
  await deleteDeliveries(db.em.fork(), ids)
}
