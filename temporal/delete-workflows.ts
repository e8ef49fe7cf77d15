import { isGrpcServiceError } from '@temporalio/client'
import type { Client } from '@temporalio/client'

export interface WorkflowRun {
  workflowId: string
  /** The latest run by default. */
  runId?: string
}

const AT_ONCE = 20
const DEADLINE_MS = 10_000
const GRPC_NOT_FOUND = 5

/** Deletes closed workflows with their histories, a bounded number at once; one that is gone is no error. */
export async function deleteWorkflows(client: Client, runs: WorkflowRun[]): Promise<void> {
  for (let start = 0; start < runs.length; start += AT_ONCE)
    await Promise.all(runs.slice(start, start + AT_ONCE).map((run) => deleteWorkflow(client, run)))
}

async function deleteWorkflow(client: Client, { workflowId, runId }: WorkflowRun): Promise<void> {
  const request = {
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId: runId ?? '' },
  }
  try {
    await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      client.workflowService.deleteWorkflowExecution(request),
    )
  } catch (error) {
    if (!isGrpcServiceError(error) || Number(error.code) !== GRPC_NOT_FOUND) throw error
  }
}
