import { WorkflowNotFoundError, type Client } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { parseRowSubject } from '../db/outbox/workflow-requests.ts'
import type { ClaimedRequest } from '../db/outbox/write-workflow-requests.ts'
import type { DeliverWebhookInput } from '../domain/webhooks/webhook-delivery.ts'
import { deliveryWorkflowId } from '../domain/workflow-ids.ts'
import { clientsOf, type DeliveryPlaces } from '../temporal/delivery-places.ts'
import { ACCOUNT_ID } from '../temporal/names.ts'
import { isRunning } from '../temporal/workflow-runs.ts'
import type { deliverWebhook } from '../workflows/deliver-webhook.ts'
import { commonOptions, type StartOptions } from './start-options.ts'

/**
 * Starts the workflow of a delivery, unless it runs in the other place already. A request that is made for the first time has started
 * nothing before, so only the others cost a look there. If the client shares its connection with a worker of the queue, the first task
 * arrives with the response to the start.
 */
export async function startDelivery(
  { begin, other }: DeliveryPlaces,
  request: ClaimedRequest,
): Promise<void> {
  const options = deliverOptions(request, begin.taskQueue)
  if (request.attempts > 1 && other && (await isRunning(other, options.workflowId))) return
  await begin.client.workflow.start<typeof deliverWebhook>('deliverWebhook', {
    ...options,
    requestEagerStart: begin.client.connection instanceof NativeConnection,
  })
}

/** Ends the wait of a delivery for its next attempt; also starts the workflow if Temporal has lost it. */
export async function retryDelivery(
  { begin, other }: DeliveryPlaces,
  request: ClaimedRequest,
): Promise<void> {
  const options = deliverOptions(request, begin.taskQueue)
  const signalArgs = request.recordedCount === null ? [] : [request.recordedCount]
  const signal = (client: Client) =>
    client.workflow.getHandle(options.workflowId).signal(SIGNAL, ...signalArgs)
  if (other && (await hasReached(() => signal(other)))) return
  await begin.client.workflow.signalWithStart<typeof deliverWebhook, number[]>('deliverWebhook', {
    ...options,
    signal: SIGNAL,
    signalArgs,
  })
}

const SIGNAL = 'retryNow'

/** Cancels the workflow of a delivery, wherever it runs. If it has ended or never ran, its row has ended, so it cannot start again. */
export async function cancelDelivery(
  places: DeliveryPlaces,
  { subjectId }: ClaimedRequest,
): Promise<void> {
  const workflowId = deliveryWorkflowId(parseRowSubject(subjectId))
  for (const client of clientsOf(places))
    await hasReached(() => client.workflow.getHandle(workflowId).cancel())
}

/** Returns whether there is a workflow for the call. */
async function hasReached(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call()
    return true
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}

/**
 * The first task of a delivery contains its first attempt, which may wait for attempts in all other slots.
 * Measured with six times the load that two cores can carry: at Temporal's default of 10 s the server
 * repeated tasks that still ran, sent some webhooks twice, and 200 webhooks took 80 to 140 s; at 30 s they
 * took 18 s. The cost is that a dead worker is detected later.
 */
const FIRST_TASK_TIMEOUT = '30 seconds'

function deliverOptions(
  request: ClaimedRequest,
  taskQueue: string,
): StartOptions<DeliverWebhookInput> {
  const { subjectId, accountId, eventType, endpointUrl } = request
  const deliveryId = parseRowSubject(subjectId)
  return {
    ...commonOptions(request),
    workflowId: deliveryWorkflowId(deliveryId),
    taskQueue,
    args: [{ deliveryId, accountId }],
    workflowTaskTimeout: FIRST_TASK_TIMEOUT,
    // Only the host, because the receiver's path or query may contain a secret.
    staticSummary: `${eventType} to ${hostOf(endpointUrl)}`,
    typedSearchAttributes: [{ key: ACCOUNT_ID, value: accountId }],
  }
}

const hostOf = (url: string | null): string =>
  url !== null && URL.canParse(url) ? new URL(url).host : 'an unknown host'
