import { heartbeat } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import type { Database } from '../db/database.ts'
import { deleteExpiredKeys } from '../db/idempotency.ts'
import { deleteEndedProgress } from '../db/ingest-progress.ts'
import {
  deleteDeliveries,
  deleteExpiredEvents,
  deleteExpiredFacts,
  findExpiredDeliveries,
} from '../db/retention.ts'
import { deliveryWorkflowId } from '../temporal/names.ts'
import { deleteWorkflows } from '../temporal/workflow-runs.ts'
import type { WorkflowRun } from '../temporal/workflow-runs.ts'
import { createSweepOutbox } from './sweep-outbox.ts'

export interface MaintenanceDeps {
  db: Database
  client: Client
  /** How long failed runs of the Schedules are kept for the operator: a day by default. */
  keptMs?: number
  /** How long their completed runs are kept: five minutes by default. */
  completedKeptMs?: number
}

const DELIVERY_BATCH_ROWS = 500
const KEY_BATCH_ROWS = 1_000
const RUN_BATCH = 200
/** The most runs that one activity deletes; the next one continues. */
const RUNS_MAX = 20_000
const KEPT_MS = 24 * 3_600_000
/** The last few stay visible, as a sign of life: there is a run each minute. */
const COMPLETED_KEPT_MS = 5 * 60_000

/**
 * The activities of the task queue `webhooks` that the Schedules run. Each is safe to run twice:
 * it works in batches, and finds the rows that an earlier run left.
 */
export const createMaintenanceActivities = (deps: MaintenanceDeps) => ({
  sweepOutbox: createSweepOutbox(deps),
  purgeExpired: () => purgeExpired(deps),
  purgeDeliveries: () => purgeDeliveries(deps),
  purgeUpkeep: () => purgeUpkeep(deps),
})

/** Deletes responses stored under Idempotency-Keys after a day. Returns how many it deleted. */
async function purgeExpired({ db }: MaintenanceDeps): Promise<number> {
  let count = 0
  for (;;) {
    const deleted = await deleteExpiredKeys(db.em.fork(), KEY_BATCH_ROWS)
    count += deleted
    heartbeat(count)
    if (deleted < KEY_BATCH_ROWS) return count
  }
}

/**
 * Deletes deliveries after their retention period, each after its closed workflow, then events without
 * references and the progress of ended ingests. Returns how many deliveries and events it deleted.
 */
async function purgeDeliveries({
  db,
  client,
}: MaintenanceDeps): Promise<{ deliveries: number; events: number }> {
  const deleted = { deliveries: 0, events: 0 }
  for (;;) {
    const ids = await findExpiredDeliveries(db.em.fork(), DELIVERY_BATCH_ROWS)
    await deleteWorkflows(
      client,
      ids.map((id) => ({ workflowId: deliveryWorkflowId(id) })),
    )
    if (ids.length > 0) await deleteDeliveries(db.em.fork(), ids)
    deleted.deliveries += ids.length
    heartbeat(deleted)
    if (ids.length < DELIVERY_BATCH_ROWS) break
  }
  for (let count = DELIVERY_BATCH_ROWS; count === DELIVERY_BATCH_ROWS; heartbeat(deleted)) {
    count = await deleteExpiredEvents(db.em.fork(), DELIVERY_BATCH_ROWS)
    deleted.events += count
  }
  await deleteExpiredFacts(db.em.fork())
  await deleteEndedProgress(db.em.fork())
  return deleted
}

/**
 * Deletes closed workflows of the Schedules, so that they do not hide the workflows of videos and
 * deliveries. Returns how many it deleted.
 */
async function purgeUpkeep({
  client,
  keptMs = KEPT_MS,
  completedKeptMs = COMPLETED_KEPT_MS,
}: MaintenanceDeps): Promise<number> {
  const closedBefore = (ms: number) => `CloseTime < '${new Date(Date.now() - ms).toISOString()}'`
  const query = `WorkflowType in ('sweepOutbox', 'purgeHistory') and
    ((ExecutionStatus = 'Completed' and ${closedBefore(completedKeptMs)}) or
     (ExecutionStatus != 'Running' and ${closedBefore(keptMs)}))`
  let count = 0
  let batch: WorkflowRun[] = []
  const flush = async (): Promise<void> => {
    await deleteWorkflows(client, batch)
    count += batch.length
    batch = []
    heartbeat(count)
  }
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    batch.push({ workflowId, runId })
    if (batch.length === RUN_BATCH) await flush()
    if (count >= RUNS_MAX) break
  }
  await flush()
  return count
}
