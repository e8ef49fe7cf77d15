import { heartbeat } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import { deleteWorkflows } from '../temporal/delete-workflows.ts'
import type { WorkflowRun } from '../temporal/delete-workflows.ts'

/** What failed is for the operator to find. */
const KEPT_MS = 24 * 3_600_000
/** The last few, so that it shows that they run: one comes each minute. */
const COMPLETED_KEPT_MS = 5 * 60_000
const BATCH_RUNS = 200
/** What one run deletes at most; the next one goes on. */
const RUNS_MAX = 20_000

export interface PurgeUpkeepDeps {
  client: Client
  /** A day by default. */
  keptMs?: number
  /** For runs that did their work: five minutes by default. */
  completedKeptMs?: number
}

/**
 * Deletes closed workflows of the Schedules, so that they do not hide those of videos and deliveries: completed
 * ones after five minutes, others after a day. Safe to run twice. Returns how many went.
 */
export function createPurgeUpkeep({
  client,
  keptMs = KEPT_MS,
  completedKeptMs = COMPLETED_KEPT_MS,
}: PurgeUpkeepDeps) {
  return async function purgeUpkeep(): Promise<number> {
    const closedBefore = (ms: number) => `CloseTime < '${new Date(Date.now() - ms).toISOString()}'`
    const query = `WorkflowType in ('sweepOutbox', 'purgeHistory') and
      ((ExecutionStatus = 'Completed' and ${closedBefore(completedKeptMs)}) or
       (ExecutionStatus != 'Running' and ${closedBefore(keptMs)}))`
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
