import { Context } from '@temporalio/activity'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { Client } from '@temporalio/client'
import { isVideoDeleted, markVideoRemoved } from '../db/videos.ts'
import type { IngestVideoInput } from '../domain/ingest.ts'
import { videoWorkflowId } from '../temporal/names.ts'
import { isRunning } from '../temporal/workflow-runs.ts'
import type { ActivityDeps } from './deps.ts'
import { removeMedia, removeScratch } from './end-video.ts'

export type DeleteDeps = Pick<ActivityDeps, 'db' | 'storage' | 'workDir'> & { client: Client }

const POLL_MS = 500
const CANCEL_DEADLINE_MS = 5_000

/** The activities of the task queue `ingest` for a deleted video. */
export function createDeleteActivities(deps: DeleteDeps) {
  const { client } = deps

  /**
   * Cancels a video's ingest and waits until it and its encoders have ended, so that nothing writes
   * objects after their removal. Does nothing if the ingest has ended or never began.
   */
  async function stopIngest({ videoId }: IngestVideoInput): Promise<void> {
    const context = Context.current()
    const workflowId = videoWorkflowId(videoId)
    await cancel(client, workflowId)
    while (await isRunning(client, workflowId)) {
      context.heartbeat()
      await context.sleep(POLL_MS)
    }
  }

  /** Removes a deleted video's objects and its remaining rows, except the video's own row. */
  async function removeVideo({ videoId }: IngestVideoInput): Promise<void> {
    const em = deps.db.em.fork()
    if (!(await isVideoDeleted(em, videoId))) return
    const { heartbeat } = Context.current()
    const onProgress = () => heartbeat()
    await removeMedia(deps, videoId, onProgress)
    await removeScratch(deps, videoId, onProgress)
    await em.transactional((tx) => markVideoRemoved(tx, videoId))
  }

  return { stopIngest, removeVideo }
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
