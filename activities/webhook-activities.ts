import type { Client } from '@temporalio/client'
import { createCancelDelivery } from './cancel-delivery.ts'
import { createCancelReplay } from './cancel-replay.ts'
import { createPurgeDeliveries } from './purge-deliveries.ts'
import { createPurgeExpired } from './purge-expired.ts'
import { createPurgeUpkeep } from './purge-upkeep.ts'
import { createReplayBatch } from './replay-batch.ts'
import { createSendWebhook } from './send-webhook.ts'
import type { SendWebhookDeps } from './send-webhook.ts'
import { createSweepOutbox } from './sweep-outbox.ts'

export interface WebhookDeps extends SendWebhookDeps {
  client: Client
  attemptsInFlight: number
}

/** What Temporal may run at once beside the attempts that there is room for. */
const SPARE_SLOTS = 50

/**
 * How a worker of the `webhooks` task queue runs. What bounds attempts is `attempt-slots.ts`, which
 * shares them out; were Temporal's own slots fewer, whoever hangs could hold them all. A first
 * attempt holds a slot for workflow tasks as well, because it runs within one.
 */
export function webhookWorkerOptions(deps: WebhookDeps) {
  const slots = deps.attemptsInFlight + SPARE_SLOTS
  return {
    activities: createWebhookActivities(deps),
    maxConcurrentActivityTaskExecutions: slots,
    maxConcurrentLocalActivityExecutions: slots,
    maxConcurrentWorkflowTaskExecutions: slots,
  }
}

const createWebhookActivities = (deps: WebhookDeps) => ({
  sendWebhook: createSendWebhook(deps),
  cancelDelivery: createCancelDelivery(deps),
  replayBatch: createReplayBatch(deps),
  cancelReplay: createCancelReplay(deps),
  sweepOutbox: createSweepOutbox(deps),
  purgeExpired: createPurgeExpired(deps),
  purgeDeliveries: createPurgeDeliveries(deps),
  purgeUpkeep: createPurgeUpkeep(deps),
})
