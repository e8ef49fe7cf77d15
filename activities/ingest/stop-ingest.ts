import { Context } from '@temporalio/activity'
import { WorkflowNotFoundError, type Client } from '@temporalio/client'
import { isVideoDeleted } from '../../db/videos/videos.ts'
import type { IngestVideoInput } from '../../domain/ingest/ingest.ts'
import { videoWorkflowId } from '../../domain/workflow-ids.ts'
import { isRunning } from '../../temporal/workflow-runs.ts'
import type { ActivityDeps } from '../deps.ts'

const POLL_MS = 500
const CANCEL_DEADLINE_MS = 5_000

/**
 * Cancels a video's ingest and waits until it and its encoders have ended, so that nothing writes
 * objects after their removal. Does nothing if the ingest has ended or never began, or if the video is not deleted: Temporal may be
 * further than a database that is restored from a backup, and a cancelled ingest fails its video.
 */
export async function stopIngest(
  { db, client }: Pick<ActivityDeps, 'db' | 'client'>,
  { videoId }: IngestVideoInput,
): Promise<void> {
  if (!(await isVideoDeleted(db.em.fork(), videoId))) return
  const context = Context.current()
  const workflowId = videoWorkflowId(videoId)
  await cancel(client, workflowId)
  while (await isRunning(client, workflowId)) {
    context.heartbeat()
    await context.sleep(POLL_MS)
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
