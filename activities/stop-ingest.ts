import { Context } from '@temporalio/activity'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { Client } from '@temporalio/client'
import { isRunning } from '../temporal/is-running.ts'
import { videoWorkflowId } from '../temporal/workflow-ids.ts'
import type { VideoInput } from './download-source.ts'

const POLL_MS = 500
const CANCEL_DEADLINE_MS = 5_000

/**
 * Cancels a video's ingest and waits until it has ended, its encoders with it: what is removed
 * afterwards is not written again. Nothing to do where it has ended already or never began.
 */
export function createStopIngest({ client }: { client: Client }) {
  return async function stopIngest({ videoId }: VideoInput): Promise<void> {
    const context = Context.current()
    const workflowId = videoWorkflowId(videoId)
    await cancel(client, workflowId)
    while (await isRunning(client, workflowId)) {
      context.heartbeat()
      await context.sleep(POLL_MS)
    }
  }
}

async function cancel(client: Client, workflowId: string): Promise<void> {
  try {
    await client.withDeadline(Date.now() + CANCEL_DEADLINE_MS, () =>
      client.workflow.getHandle(workflowId).cancel(),
    )
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}
