import { isGrpcServiceError, WorkflowNotFoundError, type Client } from '@temporalio/client'

const DESCRIBE_DEADLINE_MS = 5_000

/** Returns whether a workflow with this id is running. Throws if Temporal does not respond. */
export async function isRunning(client: Client, workflowId: string): Promise<boolean> {
  try {
    const { status } = await client.withDeadline(Date.now() + DESCRIBE_DEADLINE_MS, () =>
      client.workflow.getHandle(workflowId).describe(),
    )
    return status.name === 'RUNNING'
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}

/**
 * Returns which of at most 200 workflows are listed as running. The list is a copy of Temporal's state that is some time, usually
 * a second, behind it. Throws if Temporal does not respond.
 */
export async function listRunning(client: Client, workflowIds: string[]): Promise<Set<string>> {
  if (workflowIds.length === 0) return new Set()
  const ids = workflowIds.map((id) => `'${id}'`).join(', ')
  const { executions } = await client.withDeadline(Date.now() + DESCRIBE_DEADLINE_MS, () =>
    client.workflowService.listWorkflowExecutions({
      namespace: client.options.namespace,
      query: `ExecutionStatus = 'Running' and WorkflowId in (${ids})`,
      pageSize: workflowIds.length,
    }),
  )
  return new Set(executions.flatMap(({ execution }) => execution?.workflowId ?? []))
}

export interface WorkflowRun {
  workflowId: string
  /** The latest run by default. */
  runId?: string
}

const CONCURRENCY = 20
const DELETE_DEADLINE_MS = 10_000
const GRPC_NOT_FOUND = 5

/** Deletes closed workflows with their histories, a bounded number at a time; ignores missing ones. */
export async function deleteWorkflows(client: Client, runs: WorkflowRun[]): Promise<void> {
  for (let start = 0; start < runs.length; start += CONCURRENCY)
    await Promise.all(
      runs.slice(start, start + CONCURRENCY).map((run) => deleteWorkflow(client, run)),
    )
}

async function deleteWorkflow(client: Client, { workflowId, runId }: WorkflowRun): Promise<void> {
  const request = {
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId: runId ?? '' },
  }
  try {
    await client.withDeadline(Date.now() + DELETE_DEADLINE_MS, () =>
      client.workflowService.deleteWorkflowExecution(request),
    )
  } catch (error) {
    if (!isGrpcServiceError(error) || Number(error.code) !== GRPC_NOT_FOUND) throw error
  }
}
