import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'

// A CommonJS package: Node finds no named export in it.
const { TASK_QUEUE_TYPE_WORKFLOW } = proto.temporal.api.enums.v1.TaskQueueType

/** A poll lasts a minute, and Temporal notes its beginning. */
const FRESH_MS = 75_000

/** The identities of the workers that ask a task queue for workflow tasks; throws where Temporal is away. */
export async function readPollers(client: Client, taskQueue: string): Promise<string[]> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: TASK_QUEUE_TYPE_WORKFLOW,
  })
  return (pollers ?? [])
    .filter(({ lastAccessTime }) => Date.now() - toMs(lastAccessTime?.seconds) < FRESH_MS)
    .map(({ identity }) => identity ?? '')
}

const toMs = (seconds: unknown): number => Number(seconds ?? 0) * 1000
