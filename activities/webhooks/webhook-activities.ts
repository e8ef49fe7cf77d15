import { heartbeat } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import { appendReplayBatch } from '../../commands/webhooks/append-replay-batch.ts'
import { endUnsent } from '../../commands/webhooks/record-attempt.ts'
import { endCancelledReplay } from '../../commands/webhooks/replays.ts'
import { findOpenUploadKeys } from '../../db/uploads/uploads.ts'
import { UNFINISHED_OBJECT_KEPT_MS } from '../../domain/limits.ts'
import type { Retention } from '../../domain/retention.ts'
import type { ReplayBatch, ReplayWebhooksInput } from '../../domain/webhooks/webhook-delivery.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import { withDeps } from '../deps.ts'
import { advanceImport, endImport } from '../imports/advance-import.ts'
import { checkSums, foldSums } from '../upkeep/account-sums.ts'
import { countAudience } from '../upkeep/count-audience.ts'
import { endUploads } from '../upkeep/end-uploads.ts'
import { eraseViewers } from '../upkeep/erase-viewers.ts'
import { indexCaptions } from '../upkeep/index-captions.ts'
import { keepAllPartitions } from '../upkeep/keep-partitions.ts'
import { createPurgeUpkeep, purgeDeliveries, purgeExpired } from '../upkeep/purge-history.ts'
import { removeAccount } from '../upkeep/remove-account.ts'
import { removeUnusedObjects } from '../upkeep/remove-unused-objects.ts'
import { countOlderValues, resealValues, type ResealDeps } from '../upkeep/reseal-values.ts'
import { runBackfills } from '../upkeep/run-backfills.ts'
import { sweepOutbox, sweepWork } from '../upkeep/sweep-work.ts'
import {
  createSendStatements,
  STATEMENT_REQUESTS_IN_FLIGHT,
  type SendStatementsDeps,
} from '../xapi/send-statements.ts'
import { clearEndpoint } from './clear-endpoint.ts'
import { createSendWebhook, type SendWebhookDeps } from './send-webhook.ts'

export interface WebhookDeps extends SendWebhookDeps, SendStatementsDeps, ResealDeps {
  client: Client
  /** The namespace of the workflows of deliveries; the client has that of all others. */
  deliveriesNamespace: string
  storage: ObjectStorage
  /** Whether videos of accounts with Multi-DRM can be made. */
  hasDrmProvider: boolean
  attemptsInFlight: number
  /** How many deliveries of a deleted or disabled endpoint end in one transaction; 500 by default. */
  endpointBatchRows?: number
  /** How long the operator keeps records; the defaults of the configuration by default. */
  retention?: Retention
}

/** How many events one batch of a replay appends, and how many of its deliveries may wait. */
const REPLAY_LIMITS = { events: 200, waiting: 200 }

/**
 * The activities of the task queues `webhooks` and `deliveries`: for deliveries, replays, imports and statements, the upkeep that the Schedules
 * run, what remains of deleted endpoints and accounts, and the rotation of the master key. Each is safe to run twice.
 */
export function createWebhookActivities(deps: WebhookDeps) {
  const { db, storage } = deps

  /**
   * Ends a delivery whose workflow was cancelled, so that the sweep does not start it again. Leaves a
   * delivery that has ended or was deleted unchanged.
   */
  async function cancelDelivery({ deliveryId }: { deliveryId: number }): Promise<void> {
    await endUnsent(db.em.fork(), deliveryId, 'cancelled')
  }

  /** Creates the deliveries of a replay's next events. The row records the position in the range. */
  async function replayBatch({ replayId }: ReplayWebhooksInput): Promise<ReplayBatch> {
    return appendReplayBatch(db.em.fork(), replayId, REPLAY_LIMITS)
  }

  /** Ends a replay whose workflow was cancelled; the deliveries that it has created continue. */
  async function cancelReplay({ replayId }: ReplayWebhooksInput): Promise<void> {
    await endCancelledReplay(db.em.fork(), replayId)
  }

  /** Removes what killed processes have left of objects, but not uploads that take bytes. Returns how many such uploads or files there were. */
  async function removeUnfinishedObjects(): Promise<number> {
    const time = new Date(Date.now() - UNFINISHED_OBJECT_KEPT_MS)
    const arriving = await findOpenUploadKeys(db.em.fork())
    return storage.removeUnfinished(time, {
      isKept: (key) => arriving.has(key),
      onProgress: () => heartbeat(),
    })
  }

  return {
    sendWebhook: createSendWebhook(deps),
    sendStatements: createSendStatements(deps),
    cancelDelivery,
    replayBatch,
    cancelReplay,
    advanceImport: withDeps(deps, advanceImport),
    endImport: withDeps(deps, endImport),
    sweepWork: withDeps(deps, sweepWork),
    sweepOutbox: withDeps(deps, sweepOutbox),
    foldSums: withDeps(deps, foldSums),
    checkSums: withDeps(deps, checkSums),
    countAudience: withDeps(deps, countAudience),
    eraseViewers: withDeps(deps, eraseViewers),
    keepPartitions: () => keepAllPartitions(deps),
    purgeExpired: withDeps(deps, purgeExpired),
    endUploads: withDeps(deps, endUploads),
    indexCaptions: withDeps(deps, indexCaptions),
    purgeDeliveries: withDeps(deps, purgeDeliveries),
    purgeUpkeep: createPurgeUpkeep(deps),
    removeUnfinishedObjects,
    runBackfills: () => runBackfills({ db }),
    removeUnusedObjects: withDeps(deps, removeUnusedObjects),
    resealValues: withDeps(deps, resealValues),
    countOlderValues: withDeps(deps, countOlderValues),
    removeAccount: withDeps(deps, removeAccount),
    clearEndpoint: withDeps(deps, clearEndpoint),
  }
}

/** Slots of Temporal in addition to the attempts and the requests to record stores in flight. */
const SPARE_SLOTS = 50

/**
 * The options of a worker of the task queues `webhooks` and `deliveries`. `fair-slots.ts` limits and shares the attempts
 * in flight; with fewer slots in Temporal, endpoints that hang could occupy them all. A first attempt
 * also holds a slot for workflow tasks, because it runs within one.
 */
export function webhookWorkerOptions(deps: WebhookDeps) {
  const slots = deps.attemptsInFlight + STATEMENT_REQUESTS_IN_FLIGHT + SPARE_SLOTS
  return {
    activities: createWebhookActivities(deps),
    maxConcurrentActivityTaskExecutions: slots,
    maxConcurrentLocalActivityExecutions: slots,
    maxConcurrentWorkflowTaskExecutions: slots,
  }
}
