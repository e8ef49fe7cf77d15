import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import type { Client } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { ACCOUNT_ID, VIDEO_ID } from '../temporal/search-attributes.ts'
import { TASK_QUEUES } from '../temporal/task-queues.ts'
import {
  deletionWorkflowId,
  deliveryWorkflowId,
  replayWorkflowId,
  videoWorkflowId,
} from '../temporal/workflow-ids.ts'
import type { deleteVideo } from '../workflows/delete-video.ts'
import type { deliverWebhook } from '../workflows/deliver-webhook.ts'
import type { ingestVideo } from '../workflows/ingest-video.ts'
import type { replayWebhooks } from '../workflows/replay-webhooks.ts'
import type { ClaimedRequest } from '../db/workflow-requests.ts'

/**
 * A workflow that runs is kept; one that has ended may be followed by another, because the sweep
 * and a relay that was killed before it deleted the row both come here for a second time. That is
 * harmless: the first activity of each workflow reads the row and ends where nothing is left to do.
 */
const ONE_AT_A_TIME = {
  workflowIdConflictPolicy: 'USE_EXISTING',
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
} as const

/**
 * The first task of a delivery holds its first attempt, which may wait for its turn behind those of
 * all other slots. Measured where two cores had six times too much to do: at Temporal's own 10 s the
 * server took tasks for lost and gave them out again, some webhooks were sent twice, and 200 took
 * 80 to 140 s; at 30 s they took 18. A worker that dies is noticed that much later.
 */
const FIRST_TASK_TIMEOUT = '30 seconds'

/**
 * Tells Temporal one command. Every command may be repeated: a workflow that already runs is a
 * success. Throws where Temporal did not take it. Where the client shares its connection with a
 * worker of the queue, a delivery's first task comes back with the answer to its start.
 */
export async function executeCommand(client: Client, command: ClaimedRequest): Promise<void> {
  if (!command.isWanted) return
  try {
    await tell(client, command)
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
}

async function tell(client: Client, command: ClaimedRequest): Promise<void> {
  switch (command.command) {
    case 'ingest-video':
      await client.workflow.start<typeof ingestVideo>('ingestVideo', ingestOptions(command))
      return
    case 'delete-video':
      await client.workflow.start<typeof deleteVideo>('deleteVideo', deleteOptions(command))
      return
    case 'deliver-webhook':
      await client.workflow.start<typeof deliverWebhook>('deliverWebhook', {
        ...deliverOptions(command),
        requestEagerStart: client.connection instanceof NativeConnection,
      })
      return
    case 'retry-delivery':
      // A delivery that has lost its workflow gets one in the same step.
      await client.workflow.signalWithStart<typeof deliverWebhook>('deliverWebhook', {
        ...deliverOptions(command),
        signal: 'retryNow',
      })
      return
    case 'cancel-delivery':
      await cancel(client, deliveryWorkflowId(Number(command.subjectId)))
      return
    case 'replay-webhooks':
      await client.workflow.start<typeof replayWebhooks>('replayWebhooks', replayOptions(command))
  }
}

/** Also where there is nothing to cancel (any more): the row has ended, so nothing starts anew. */
async function cancel(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).cancel()
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}

/** The way back from a workflow to the request, and to its lines in the logs. */
const memoOf = ({ requestId }: ClaimedRequest) =>
  requestId === null ? {} : { memo: { requestId } }

const ingestOptions = (command: ClaimedRequest) => ({
  ...videoOptions(command),
  workflowId: videoWorkflowId(command.subjectId),
  staticSummary: `Ingest of ${command.subjectId}`,
})

const deleteOptions = (command: ClaimedRequest) => ({
  ...videoOptions(command),
  workflowId: deletionWorkflowId(command.subjectId),
  staticSummary: `Deletion of ${command.subjectId}`,
})

function videoOptions(command: ClaimedRequest) {
  const { subjectId: videoId, accountId } = command
  return {
    ...ONE_AT_A_TIME,
    ...memoOf(command),
    taskQueue: TASK_QUEUES.ingest,
    args: [{ videoId, accountId }] as [{ videoId: string; accountId: number }],
    priority: { fairnessKey: String(accountId) },
    typedSearchAttributes: [
      { key: ACCOUNT_ID, value: accountId },
      { key: VIDEO_ID, value: videoId },
    ],
  }
}

function deliverOptions(command: ClaimedRequest) {
  const { subjectId, accountId, eventType, endpointUrl } = command
  const deliveryId = Number(subjectId)
  return {
    ...ONE_AT_A_TIME,
    ...memoOf(command),
    workflowId: deliveryWorkflowId(deliveryId),
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ deliveryId, accountId }] as [{ deliveryId: number; accountId: number }],
    workflowTaskTimeout: FIRST_TASK_TIMEOUT,
    // The host alone: a path or a query of the receiver's may hold its secret.
    staticSummary: `${eventType} to ${hostOf(endpointUrl)}`,
    priority: { fairnessKey: String(accountId) },
    typedSearchAttributes: [{ key: ACCOUNT_ID, value: accountId }],
  }
}

function replayOptions(command: ClaimedRequest) {
  const { subjectId, accountId } = command
  const replayId = Number(subjectId)
  return {
    ...ONE_AT_A_TIME,
    ...memoOf(command),
    workflowId: replayWorkflowId(replayId),
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ replayId }] as [{ replayId: number }],
    staticSummary: `Replay of webhooks of account ${accountId}`,
    priority: { fairnessKey: String(accountId) },
    typedSearchAttributes: [{ key: ACCOUNT_ID, value: accountId }],
  }
}

function hostOf(url: string | null): string {
  return url !== null && URL.canParse(url) ? new URL(url).host : 'an unknown host'
}
