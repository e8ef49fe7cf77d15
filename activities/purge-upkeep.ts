import { heartbeat } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import { deleteWorkflows } from '../temporal/delete-workflows.ts'
import type { WorkflowRun } from '../temporal/delete-workflows.ts'

const KEPT_MS = 24 * 3_600_000
const BATCH_RUNS = 200
/** What one run deletes at most; the next one goes on. */
const RUNS_MAX = 20_000

export interface PurgeUpkeepDeps {
  client: Client
  /** A day by default. */
  keptMs?: number
}

/**
 * Deletes closed workflows of the Schedules after a day: one a minute, of which nobody wants to see
 * more. Safe to run twice. Returns how many went.
 */
export function createPurgeUpkeep({ client, keptMs = KEPT_MS }: PurgeUpkeepDeps) {
  return async function purgeUpkeep(): Promise<number> {
    const before = new Date(Date.now() - keptMs).toISOString()
    const query = `WorkflowType in ('sweepOutbox', 'purgeHistory') and ExecutionStatus != 'Running' and CloseTime < '${before}'`
    let count = 0
    let batch: WorkflowRun[] = []
    const flush = async (): Promise<void> => {
      await deleteWorkflows(client, batch)
      count += batch.length
      batch = []
      heartbeat(count)
    }
    for await (const { workflowId, runId } of client.workflow.list({ query })) {
      batch.push({ workflowId, runId })
      if (batch.length === BATCH_RUNS) await flush()
      if (count >= RUNS_MAX) break
    }
    await flush()
    return count
  }
}
