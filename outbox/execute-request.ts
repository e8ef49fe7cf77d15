import { SpanKind } from '@opentelemetry/api'
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowOptions,
} from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { parsePosterSubject, parseRowSubject } from '../db/outbox/workflow-requests.ts'
import type { ClaimedRequest } from '../db/outbox/write-workflow-requests.ts'
import type { DeleteAccountInput } from '../domain/accounts/account-deletion.ts'
import { PRIORITIES } from '../domain/ingest/ingest-priority.ts'
import type { IngestVideoInput, SetPosterInput } from '../domain/ingest/ingest.ts'
import type { RotateMasterKeyInput } from '../domain/master-key-rotation.ts'
import { spanOfRequest } from '../domain/trace-context.ts'
import type {
  DeliverWebhookInput,
  ReplayWebhooksInput,
  SettleEndpointInput,
} from '../domain/webhooks/webhook-delivery.ts'
import {
  accountDeletionWorkflowId,
  deletionWorkflowId,
  deliveryWorkflowId,
  endpointWorkflowId,
  posterWorkflowId,
  replayWorkflowId,
  ROTATION_WORKFLOW_ID,
  videoWorkflowId,
} from '../domain/workflow-ids.ts'
import { ACCOUNT_ID, TASK_QUEUES, VIDEO_ID } from '../temporal/names.ts'
import { contextBelow, inSpan } from '../tracing/spans.ts'
import type { deleteAccount } from '../workflows/delete-account.ts'
import type { deleteVideo } from '../workflows/delete-video.ts'
import type { deliverWebhook } from '../workflows/deliver-webhook.ts'
import type { ingestVideo } from '../workflows/ingest-video.ts'
import type { replayWebhooks } from '../workflows/replay-webhooks.ts'
import type { rotateMasterKey } from '../workflows/rotate-master-key.ts'
import type { setPoster } from '../workflows/set-poster.ts'
import type { settleEndpoint } from '../workflows/settle-endpoint.ts'

/**
 * Executes one workflow request: starts, signals or cancels its workflow. Safe to repeat: a workflow that
 * already runs counts as a success. Throws if Temporal did not accept it, or if its subject cannot be read.
 * If the client shares its connection with a worker of the queue, a delivery's first task arrives with the
 * response to its start.
 */
export async function executeRequest(client: Client, request: ClaimedRequest): Promise<void> {
  if (!request.isWanted) return
  await inSpan(spanOf(request), async () => {
    try {
      await execute(client, request)
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    }
  })
}

const spanOf = ({ command, accountId, subjectId, attempts, requestId }: ClaimedRequest) => ({
  name: `relay ${command}`,
  kind: SpanKind.PRODUCER,
  parent: contextBelow(spanOfRequest(requestId)),
  attributes: {
    'reelgate.account_id': accountId,
    'reelgate.subject_id': subjectId,
    'reelgate.attempt': attempts,
  },
})

async function execute(client: Client, request: ClaimedRequest): Promise<void> {
  switch (request.command) {
    case 'ingest-video':
      await client.workflow.start<typeof ingestVideo>('ingestVideo', ingestOptions(request))
      return
    case 'delete-video':
      await client.workflow.start<typeof deleteVideo>('deleteVideo', deleteOptions(request))
      return
    case 'deliver-webhook':
      await client.workflow.start<typeof deliverWebhook>('deliverWebhook', {
        ...deliverOptions(request),
        requestEagerStart: client.connection instanceof NativeConnection,
      })
      return
    case 'retry-delivery':
      // Also starts the workflow if Temporal has lost it.
      await client.workflow.signalWithStart<typeof deliverWebhook>('deliverWebhook', {
        ...deliverOptions(request),
        signal: 'retryNow',
      })
      return
    case 'cancel-delivery':
      await cancel(client, deliveryWorkflowId(parseRowSubject(request.subjectId)))
      return
    case 'replay-webhooks':
      await client.workflow.start<typeof replayWebhooks>('replayWebhooks', replayOptions(request))
      return
    case 'rotate-master-key':
      await client.workflow.start<typeof rotateMasterKey>('rotateMasterKey', rotateOptions(request))
      return
    case 'set-poster':
      await client.workflow.start<typeof setPoster>('setPoster', posterOptions(request))
      return
    case 'delete-account':
      await client.workflow.start<typeof deleteAccount>('deleteAccount', removeOptions(request))
      return
    case 'settle-endpoint':
      await client.workflow.start<typeof settleEndpoint>('settleEndpoint', settleOptions(request))
  }
}

/** Does nothing if the workflow has ended or never ran: its row has ended, so it cannot start again. */
async function cancel(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).cancel()
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}

type StartOptions<Input> = WorkflowOptions & { args: [Input] }

/**
 * A running workflow is kept. A workflow may follow one that has ended, because the sweep, or a relay that
 * was killed before it deleted the row, may repeat a request. That is harmless: the first activity of each
 * workflow reads the row and ends if nothing is left to do.
 */
const ONE_AT_A_TIME = {
  workflowIdConflictPolicy: 'USE_EXISTING',
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
} as const

/** Connects the workflow with the HTTP request and its log lines. */
const memoOf = ({ requestId }: ClaimedRequest) =>
  requestId === null ? {} : { memo: { requestId } }

const fairnessOf = ({ accountId }: ClaimedRequest) => ({ fairnessKey: String(accountId) })

const ingestOptions = (request: ClaimedRequest): StartOptions<IngestVideoInput> => ({
  ...videoOptions(request, inputOf(request)),
  // The backlog of one account must not delay the few videos of another.
  priority: {
    ...fairnessOf(request),
    ...(request.isBacklog && { priorityKey: PRIORITIES.backlog }),
  },
  workflowId: videoWorkflowId(request.subjectId),
  staticSummary: `Ingest of ${request.subjectId}`,
})

const deleteOptions = (request: ClaimedRequest): StartOptions<IngestVideoInput> => ({
  ...videoOptions(request, inputOf(request)),
  workflowId: deletionWorkflowId(request.subjectId),
  staticSummary: `Deletion of ${request.subjectId}`,
})

function posterOptions(request: ClaimedRequest): StartOptions<SetPosterInput> {
  const upload = parsePosterSubject(request.subjectId)
  return {
    ...videoOptions(request, { ...upload, accountId: request.accountId }),
    workflowId: posterWorkflowId(upload.videoId, upload.number),
    staticSummary: `Uploaded poster of ${upload.videoId}`,
  }
}

const inputOf = ({ subjectId, accountId }: ClaimedRequest): IngestVideoInput => ({
  videoId: subjectId,
  accountId,
})

function videoOptions<Input extends IngestVideoInput>(
  request: ClaimedRequest,
  input: Input,
): Omit<StartOptions<Input>, 'workflowId'> {
  const { videoId, accountId } = input
  return {
    ...ONE_AT_A_TIME,
    ...memoOf(request),
    taskQueue: TASK_QUEUES.ingest,
    args: [input],
    priority: fairnessOf(request),
    typedSearchAttributes: [
      { key: ACCOUNT_ID, value: accountId },
      { key: VIDEO_ID, value: videoId },
    ],
  }
}

/**
 * The first task of a delivery contains its first attempt, which may wait for attempts in all other slots.
 * Measured with six times the load that two cores can carry: at Temporal's default of 10 s the server
 * repeated tasks that still ran, sent some webhooks twice, and 200 webhooks took 80 to 140 s; at 30 s they
 * took 18 s. The cost is that a dead worker is detected later.
 */
const FIRST_TASK_TIMEOUT = '30 seconds'

function deliverOptions(request: ClaimedRequest): StartOptions<DeliverWebhookInput> {
  const { subjectId, accountId, eventType, endpointUrl } = request
  const deliveryId = parseRowSubject(subjectId)
  return {
    ...ONE_AT_A_TIME,
    ...memoOf(request),
    workflowId: deliveryWorkflowId(deliveryId),
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ deliveryId, accountId }],
    workflowTaskTimeout: FIRST_TASK_TIMEOUT,
    // Only the host, because the receiver's path or query may contain a secret.
    staticSummary: `${eventType} to ${hostOf(endpointUrl)}`,
    priority: fairnessOf(request),
    typedSearchAttributes: [{ key: ACCOUNT_ID, value: accountId }],
  }
}

function replayOptions(request: ClaimedRequest): StartOptions<ReplayWebhooksInput> {
  const { subjectId, accountId } = request
  const replayId = parseRowSubject(subjectId)
  return {
    ...ONE_AT_A_TIME,
    ...memoOf(request),
    workflowId: replayWorkflowId(replayId),
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ replayId }],
    staticSummary: `Replay of webhooks of account ${accountId}`,
    priority: fairnessOf(request),
    typedSearchAttributes: [{ key: ACCOUNT_ID, value: accountId }],
  }
}

function removeOptions(request: ClaimedRequest): StartOptions<DeleteAccountInput> {
  const { accountId } = request
  return {
    ...ONE_AT_A_TIME,
    ...memoOf(request),
    workflowId: accountDeletionWorkflowId(accountId),
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ accountId }],
    staticSummary: `Deletion of account ${accountId}`,
    priority: fairnessOf(request),
    typedSearchAttributes: [{ key: ACCOUNT_ID, value: accountId }],
  }
}

function settleOptions(request: ClaimedRequest): StartOptions<SettleEndpointInput> {
  const { subjectId, accountId } = request
  const endpointId = Number(subjectId)
  return {
    ...ONE_AT_A_TIME,
    ...memoOf(request),
    workflowId: endpointWorkflowId(endpointId),
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ endpointId }],
    staticSummary: `Deliveries of endpoint ${endpointId}, which was deleted or disabled`,
    priority: fairnessOf(request),
    typedSearchAttributes: [{ key: ACCOUNT_ID, value: accountId }],
  }
}

function rotateOptions(request: ClaimedRequest): StartOptions<RotateMasterKeyInput> {
  const version = Number(request.subjectId)
  return {
    ...ONE_AT_A_TIME,
    ...memoOf(request),
    workflowId: ROTATION_WORKFLOW_ID,
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ version }],
    staticSummary: `Rotation of the master key to version ${version}`,
    priority: fairnessOf(request),
  }
}

const hostOf = (url: string | null): string =>
  url !== null && URL.canParse(url) ? new URL(url).host : 'an unknown host'
