import { WorkflowNotFoundError } from '@temporalio/client'
import type { Client } from '@temporalio/client'

const DESCRIBE_DEADLINE_MS = 5_000

/** True where a workflow of this id is under way; throws where Temporal cannot be asked. */
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
