import { SpanKind } from '@opentelemetry/api'
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client'
import { parsePosterSubject, parseRowSubject } from '../db/outbox/workflow-requests.ts'
import type { ClaimedRequest } from '../db/outbox/write-workflow-requests.ts'
import type { DeleteAccountInput } from '../domain/accounts/account-deletion.ts'
import type { ImportVideosInput } from '../domain/imports/video-import.ts'
import { PRIORITIES } from '../domain/ingest/ingest-priority.ts'
import type { IngestVideoInput, SetPosterInput } from '../domain/ingest/ingest.ts'
import type { RotateMasterKeyInput } from '../domain/master-key-rotation.ts'
import { spanOfRequest } from '../domain/trace-context.ts'
import type {
  ReplayWebhooksInput,
  SettleEndpointInput,
} from '../domain/webhooks/webhook-delivery.ts'
import {
  accountDeletionWorkflowId,
  deletionWorkflowId,
  endpointWorkflowId,
  importWorkflowId,
  posterWorkflowId,
  replayWorkflowId,
  ROTATION_WORKFLOW_ID,
  statementsWorkflowId,
  videoWorkflowId,
} from '../domain/workflow-ids.ts'
import type { DeliverStatementsInput } from '../domain/xapi/record-store.ts'
import type { DeliveryPlaces } from '../temporal/delivery-places.ts'
import { ACCOUNT_ID, TASK_QUEUES, VIDEO_ID } from '../temporal/names.ts'
import { contextBelow, inSpan } from '../tracing/spans.ts'
import type { deleteAccount } from '../workflows/delete-account.ts'
import type { deleteVideo } from '../workflows/delete-video.ts'
import type { deliverStatements } from '../workflows/deliver-statements.ts'
import type { importVideos } from '../workflows/import-videos.ts'
import type { ingestVideo } from '../workflows/ingest-video.ts'
import type { replayWebhooks } from '../workflows/replay-webhooks.ts'
import type { rotateMasterKey } from '../workflows/rotate-master-key.ts'
import type { setPoster } from '../workflows/set-poster.ts'
import type { settleEndpoint } from '../workflows/settle-endpoint.ts'
import { cancelDelivery, retryDelivery, startDelivery } from './delivery-requests.ts'
import { commonOptions, fairnessOf, type StartOptions } from './start-options.ts'

/** How the relay reaches workflows. */
export interface RequestTargets {
  /** The client of all workflows but those of deliveries. */
  client: Client
  deliveries: DeliveryPlaces
}

/**
 * Executes one workflow request: starts, signals or cancels its workflow. Safe to repeat: a workflow that
 * already runs counts as a success. Throws if Temporal did not accept it, or if its subject cannot be read.
 */
export async function executeRequest(
  targets: RequestTargets,
  request: ClaimedRequest,
): Promise<void> {
  if (!request.isWanted) return
  await inSpan(spanOf(request), async () => {
    try {
      await execute(targets, request)
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

async function execute(
  { client, deliveries }: RequestTargets,
  request: ClaimedRequest,
): Promise<void> {
  switch (request.command) {
    case 'ingest-video':
      await client.workflow.start<typeof ingestVideo>('ingestVideo', ingestOptions(request))
      return
    case 'delete-video':
      await client.workflow.start<typeof deleteVideo>('deleteVideo', deleteOptions(request))
      return
    case 'deliver-webhook':
      await startDelivery(deliveries, request)
      return
    case 'retry-delivery':
      await retryDelivery(deliveries, request)
      return
    case 'cancel-delivery':
      await cancelDelivery(deliveries, request)
      return
    case 'replay-webhooks':
      await client.workflow.start<typeof replayWebhooks>('replayWebhooks', replayOptions(request))
      return
    case 'import-videos':
      await client.workflow.start<typeof importVideos>('importVideos', importOptions(request))
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
      return
    case 'deliver-statements':
      await client.workflow.start<typeof deliverStatements>(
        'deliverStatements',
        statementOptions(request),
      )
  }
}

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
    ...commonOptions(request),
    taskQueue: TASK_QUEUES.ingest,
    args: [input],
    typedSearchAttributes: [
      { key: ACCOUNT_ID, value: accountId },
      { key: VIDEO_ID, value: videoId },
    ],
  }
}

function replayOptions(request: ClaimedRequest): StartOptions<ReplayWebhooksInput> {
  const { subjectId, accountId } = request
  const replayId = parseRowSubject(subjectId)
  return {
    ...commonOptions(request),
    workflowId: replayWorkflowId(replayId),
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ replayId }],
    staticSummary: `Replay of webhooks of account ${accountId}`,
    typedSearchAttributes: [{ key: ACCOUNT_ID, value: accountId }],
  }
}

function importOptions(request: ClaimedRequest): StartOptions<ImportVideosInput> {
  const { subjectId, accountId } = request
  const importId = parseRowSubject(subjectId)
  return {
    ...commonOptions(request),
    workflowId: importWorkflowId(importId),
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ importId }],
    staticSummary: `Import of videos of account ${accountId}`,
    typedSearchAttributes: [{ key: ACCOUNT_ID, value: accountId }],
  }
}

function removeOptions(request: ClaimedRequest): StartOptions<DeleteAccountInput> {
  const { accountId } = request
  return {
    ...commonOptions(request),
    workflowId: accountDeletionWorkflowId(accountId),
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ accountId }],
    staticSummary: `Deletion of account ${accountId}`,
    typedSearchAttributes: [{ key: ACCOUNT_ID, value: accountId }],
  }
}

function settleOptions(request: ClaimedRequest): StartOptions<SettleEndpointInput> {
  const { subjectId, accountId } = request
  const endpointId = Number(subjectId)
  return {
    ...commonOptions(request),
    workflowId: endpointWorkflowId(endpointId),
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ endpointId }],
    staticSummary: `Deliveries of endpoint ${endpointId}, which was deleted or disabled`,
    typedSearchAttributes: [{ key: ACCOUNT_ID, value: accountId }],
  }
}

function statementOptions(request: ClaimedRequest): StartOptions<DeliverStatementsInput> {
  const { accountId } = request
  return {
    ...commonOptions(request),
    workflowId: statementsWorkflowId(accountId),
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ accountId }],
    staticSummary: `Statements for the record store of account ${accountId}`,
    typedSearchAttributes: [{ key: ACCOUNT_ID, value: accountId }],
  }
}

function rotateOptions(request: ClaimedRequest): StartOptions<RotateMasterKeyInput> {
  const version = Number(request.subjectId)
  return {
    ...commonOptions(request),
    workflowId: ROTATION_WORKFLOW_ID,
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ version }],
    staticSummary: `Rotation of the master key to version ${version}`,
  }
}
