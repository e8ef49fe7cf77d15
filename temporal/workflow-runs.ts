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

/** Returns whether a workflow with this id is running in one of these namespaces. Throws if Temporal does not respond. */
export async function isRunningInAny(places: Client[], workflowId: string): Promise<boolean> {
  for (const client of places) if (await isRunning(client, workflowId)) return true
  return false
}

/**
 * Returns which of at most 200 workflows are listed as running. The list is a copy of Temporal's state that is some time, usually
 * a second, behind it. Throws if Temporal does not respond.
 */
export async function listRunning(client: Client, workflowIds: string[]): Promise<string[]> {
  if (workflowIds.length === 0) return []
  const ids = workflowIds.map((id) => `'${id}'`).join(', ')
  const { executions } = await client.withDeadline(Date.now() + DESCRIBE_DEADLINE_MS, () =>
    client.workflowService.listWorkflowExecutions({
      namespace: client.options.namespace,
      query: `ExecutionStatus = 'Running' and WorkflowId in (${ids})`,
      pageSize: workflowIds.length,
    }),
  )
  return executions.flatMap(({ execution }) => execution?.workflowId ?? [])
}

export interface WorkflowRun {
  workflowId: string
  /** The latest run by default. */
  runId?: string
}

const CONCURRENCY = 20
const DEADLINE_MS = 10_000
const GRPC_NOT_FOUND = 5

/** Terminates running workflows; ignores others. */
export const terminateWorkflows = (client: Client, workflowIds: string[]): Promise<void> =>
  forEach(client, workflowIds, async (workflowId) => {
    try {
      await client.workflow.getHandle(workflowId).terminate()
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
    }
  })

/** Deletes closed workflows with their histories; ignores missing ones. */
export const deleteWorkflows = (client: Client, runs: WorkflowRun[]): Promise<void> =>
  forEach(client, runs, async ({ workflowId, runId }) => {
    const workflowExecution = { workflowId, runId: runId ?? '' }
    try {
      const { namespace } = client.options
      await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution })
    } catch (error) {
      if (!isGrpcServiceError(error) || Number(error.code) !== GRPC_NOT_FOUND) throw error
    }
  })

/** Makes calls of Temporal, a bounded number at a time, each with a deadline. */
async function forEach<T>(
  client: Client,
  items: T[],
  call: (item: T) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += CONCURRENCY)
    await Promise.all(
      items
        .slice(start, start + CONCURRENCY)
        .map((item) => client.withDeadline(Date.now() + DEADLINE_MS, () => call(item))),
    )
}
