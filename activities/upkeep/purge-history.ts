import { heartbeat } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import { deleteExpiredKeys } from '../../db/accounts/write-idempotency.ts'
import type { Database } from '../../db/database.ts'
import { deleteEndedProgress } from '../../db/ingest/write-ingest-progress.ts'
import { deleteEndedSessions } from '../../db/members/write-dashboard-sessions.ts'
import { deleteExpiredGuesses } from '../../db/members/write-guess-limits.ts'
import { dropOldDeliveries } from '../../db/partitions/old-deliveries.ts'
import { findExpiredDeliveries } from '../../db/upkeep/retention.ts'
import { expiredRecords } from '../../db/upkeep/write-expired-records.ts'
import {
  deleteDeliveries,
  deleteExpiredEvents,
  deleteExpiredFacts,
} from '../../db/upkeep/write-retention.ts'
import { expirePosterUploads } from '../../db/videos/write-poster-uploads.ts'
import { DEFAULT_RETENTION, type Retention } from '../../domain/retention.ts'
import { deleteWorkflows, type WorkflowRun } from '../../temporal/workflow-runs.ts'

const DELIVERY_BATCH_ROWS = 500
const KEY_BATCH_ROWS = 1_000
const RECORD_BATCH_ROWS = 1_000
const RUN_BATCH = 200
/** The most runs that one activity deletes; the next one continues. */
const RUNS_MAX = 20_000
const KEPT_MS = 24 * 3_600_000
/** Keeps the last few runs in the Web UI, to show that the Schedules work: one starts each minute. */
const COMPLETED_KEPT_MS = 5 * 60_000

/**
 * Deletes responses stored under Idempotency-Keys after a day, and ended sessions and counted guesses of the
 * dashboard, in batches. Returns how many it deleted.
 * Safe to run twice, like the other activities of this file: each finds the rows that an earlier run left.
 */
export async function purgeExpired({ db }: { db: Database }): Promise<number> {
  let count = 0
  for (const deleteBatch of [deleteExpiredKeys, deleteEndedSessions, deleteExpiredGuesses]) {
    for (let deleted = KEY_BATCH_ROWS; deleted === KEY_BATCH_ROWS; heartbeat(count)) {
      deleted = await deleteBatch(db.em.fork(), KEY_BATCH_ROWS)
      count += deleted
    }
  }
  return count
}

interface PurgeDeliveriesDeps {
  db: Database
  /** How long the operator keeps records. */
  retention?: Retention
}

/** What a purge has deleted. */
interface Purged {
  deliveries: number
  events: number
  records: number
}

/**
 * Deletes the progress of ended ingests, abandoned uploads of posters, and all other records whose retention is over
 * (docs/retention.md); then deliveries and events from before the partitions after their retention period, in batches, events without
 * references. Temporal deletes histories itself, days after their end. Returns how many deliveries, events and other records it deleted.
 */
export async function purgeDeliveries({
  db,
  retention = DEFAULT_RETENTION,
}: PurgeDeliveriesDeps): Promise<Purged> {
  const deleted = { deliveries: 0, events: 0, records: 0 }
  await deleteExpiredFacts(db.em.fork())
  await deleteEndedProgress(db.em.fork())
  await expirePosterUploads(db.em.fork())
  for (const deleteBatch of expiredRecords(retention)) {
    for (let count = RECORD_BATCH_ROWS; count === RECORD_BATCH_ROWS; heartbeat(deleted)) {
      count = await deleteBatch(db.em.fork(), RECORD_BATCH_ROWS)
      deleted.records += count
    }
  }
  // Last, because there are most of them: if they take longer than the activity has, nothing else waits.
  for (let hasMore = true; hasMore; heartbeat(deleted)) {
    const ids = await findExpiredDeliveries(db.em.fork(), DELIVERY_BATCH_ROWS)
    await deleteDeliveries(db.em.fork(), ids)
    const events = await deleteExpiredEvents(db.em.fork(), DELIVERY_BATCH_ROWS)
    deleted.deliveries += ids.length
    deleted.events += events
    hasMore = Math.max(ids.length, events) === DELIVERY_BATCH_ROWS
  }
  await dropOldDeliveries(db)
  return deleted
}

export interface PurgeUpkeepDeps {
  client: Client
  /** How long failed runs of the Schedules are kept for the operator: a day by default. */
  keptMs?: number
  /** How long their completed runs are kept: five minutes by default. */
  completedKeptMs?: number
}

/**
 * Deletes closed workflows of the Schedules, and those that they start each minute, so that they do not hide the workflows of videos and
 * deliveries. Returns how many it deleted.
 */
export function createPurgeUpkeep({
  client,
  keptMs = KEPT_MS,
  completedKeptMs = COMPLETED_KEPT_MS,
}: PurgeUpkeepDeps) {
  const closedBefore = (ms: number) => `CloseTime < '${new Date(Date.now() - ms).toISOString()}'`
  return async function purgeUpkeep(): Promise<number> {
    const query = `WorkflowType in ('sweepOutbox', 'purgeHistory', 'reconcileObjects', 'foldSums', 'checkSums', 'countAudience',
      'deliverStatements') and
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
}
