import { heartbeat } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import type { Database } from '../db/database.ts'
import {
  deleteDeliveries,
  deleteExpiredEvents,
  deleteExpiredFacts,
  findExpiredDeliveries,
} from '../db/retention.ts'
import { deleteWorkflows } from '../temporal/delete-workflows.ts'
import { deliveryWorkflowId } from '../temporal/workflow-ids.ts'

const BATCH_ROWS = 500

export interface PurgeDeps {
  db: Database
  client: Client
}

/**
 * Deletes deliveries that were kept for long enough, each after its closed workflow, then events that
 * nothing refers to; in bounded batches. Safe to run twice: where it died, the rows are found again.
 * Returns how many deliveries and events went.
 */
export function createPurgeDeliveries({ db, client }: PurgeDeps) {
  return async function purgeDeliveries(): Promise<{ deliveries: number; events: number }> {
    const gone = { deliveries: 0, events: 0 }
    for (;;) {
      const ids = await findExpiredDeliveries(db.em.fork(), BATCH_ROWS)
      await deleteWorkflows(
        client,
        ids.map((id) => ({ workflowId: deliveryWorkflowId(id) })),
      )
      if (ids.length > 0) await deleteDeliveries(db.em.fork(), ids)
      gone.deliveries += ids.length
      heartbeat(gone)
      if (ids.length < BATCH_ROWS) break
    }
    for (let count = BATCH_ROWS; count === BATCH_ROWS; heartbeat(gone)) {
      count = await deleteExpiredEvents(db.em.fork(), BATCH_ROWS)
      gone.events += count
    }
    await deleteExpiredFacts(db.em.fork())
    return gone
  }
}
