import { Context } from '@temporalio/activity'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { Client } from '@temporalio/client'
import { videoWorkflowId } from '../temporal/workflow-ids.ts'
import type { VideoInput } from './download-source.ts'

const POLL_MS = 500
const CALL_DEADLINE_MS = 5_000

/**
 * Cancels a video's ingest and waits until it has ended, its encoders with it: what is removed
 * afterwards is not written again. Nothing to do where it has ended already or never began.
 */
export function createStopIngest({ client }: { client: Client }) {
  return async function stopIngest({ videoId }: VideoInput): Promise<void> {
    const context = Context.current()
    const ingest = client.workflow.getHandle(videoWorkflowId(videoId))
    const ask = <T>(call: () => Promise<T>) =>
      client.withDeadline(Date.now() + CALL_DEADLINE_MS, call)
    try {
      await ask(() => ingest.cancel())
      while ((await ask(() => ingest.describe())).status.name === 'RUNNING') {
        context.heartbeat()
        await context.sleep(POLL_MS)
      }
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
    }
  }
}
