import {
  ApplicationFailure,
  continueAsNew,
  patched,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow'
import type { createWebhookActivities } from '../activities/webhooks/webhook-activities.ts'
import { SWEEP_KINDS, type SweepResult } from '../domain/sweep.ts'
import {
  FIRST_POSITION,
  OBJECT_ROOTS,
  type ObjectsPosition,
} from '../domain/videos/unused-objects.ts'
import { UNTIL_DONE } from './until-done.ts'

type WebhookActivities = ReturnType<typeof createWebhookActivities>

const sweepActivities = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  // Few attempts: the next sweep follows within the minute.
  retry: { initialInterval: '5 seconds', maximumAttempts: 3 },
})

const purgeActivities = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '45 minutes',
  heartbeatTimeout: '1 minute',
  // Few attempts: the next run follows within the hour.
  retry: { initialInterval: '10 seconds', maximumAttempts: 3 },
})

const { removeUnusedObjects } = proxyActivities<WebhookActivities>(UNTIL_DONE)

/**
 * Restarts lost work, ends uploads whose time is over, indexes captions, and deletes expired responses and earlier runs of the Schedules. A Schedule
 * starts it each minute. Each kind of work has a step of its own, which continues where that of the last run has ended, and
 * a step that fails stops no other one. Fails after all of them if one has failed.
 */
export async function sweepOutbox(): Promise<SweepResult> {
  // Another release's worker may have begun this run.
  if (!patched('sweep-by-kind')) return sweepWhole()
  const result: SweepResult = {}
  // Another release's worker may have begun this run without the last kind.
  const kinds = patched('sweep-imports') ? SWEEP_KINDS : SWEEP_KINDS.slice(0, -1)
  const steps = kinds.map(async (kind) => {
    const summary = `Look for lost work: ${kind}`
    result[kind] = await sweepActivities.sweepWork.executeWithOptions({ summary }, [kind])
  })
  const ends = await Promise.allSettled([
    ...steps,
    purgeEachMinute(),
    endUploads(),
    indexCaptions(),
  ])
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
  return result
}

async function sweepWhole(): Promise<SweepResult> {
  await sweepActivities.sweepOutbox.executeWithOptions({ summary: 'Look for lost work' }, [])
  await purgeEachMinute()
  return {}
}

async function purgeEachMinute(): Promise<void> {
  const { purgeExpired, purgeUpkeep } = sweepActivities
  await purgeExpired.executeWithOptions({ summary: 'Delete expired responses' }, [])
  await purgeUpkeep.executeWithOptions({ summary: 'Delete old runs of Schedules' }, [])
}

/** Another release's worker may have begun this run. */
async function endUploads(): Promise<void> {
  if (patched('end-uploads'))
    await sweepActivities.endUploads.executeWithOptions({ summary: 'End old uploads' }, [])
}

/** Another release's worker may have begun this run. */
async function indexCaptions(): Promise<void> {
  if (patched('index-captions'))
    await sweepActivities.indexCaptions.executeWithOptions({ summary: 'Index captions' }, [])
}

/**
 * Deletes data after its retention period (contract, "Limits"), and what killed processes have left in storage, and
 * continues the backfills of migrations. A Schedule starts it each hour.
 */
export async function purgeHistory(): Promise<void> {
  const { keepPartitions, purgeDeliveries, purgeUpkeep, removeUnfinishedObjects, runBackfills } =
    purgeActivities
  // Another release's worker may have begun this run.
  const since = (patch: string, step: () => Promise<unknown>) => async () => {
    if (patched(patch)) await step()
  }
  await runAll([
    // First, because the other steps may take long, and rows need their partitions.
    since('partitions', () =>
      keepPartitions.executeWithOptions({ summary: 'Create and drop partitions' }, []),
    ),
    () => purgeDeliveries.executeWithOptions({ summary: 'Delete old deliveries' }, []),
    () => purgeUpkeep.executeWithOptions({ summary: 'Delete old runs of Schedules' }, []),
    since('unfinished-objects', () =>
      removeUnfinishedObjects.executeWithOptions({ summary: 'Remove unfinished uploads' }, []),
    ),
    since('backfills', () =>
      runBackfills.executeWithOptions({ summary: 'Continue the backfills of migrations' }, []),
    ),
  ])
}

/** Runs steps in turn. One that fails stops no other; throws the first failure after all of them. */
async function runAll(steps: (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Keeps a run's history below a thousand events; the next run continues. */
const PAGES_PER_RUN = 25

/**
 * Compares the objects in storage with the videos, and removes those that no video needs. A Schedule starts it each week. The
 * position is its input, so it continues where it was after any restart. Fails after all folders if some could not be removed:
 * `failedBefore` in the runs before this one.
 */
export async function reconcileObjects(
  start: ObjectsPosition = FIRST_POSITION,
  failedBefore = 0,
): Promise<void> {
  let position = start
  let count = 0
  let failedCount = failedBefore
  for (let page = 1; page <= PAGES_PER_RUN; page += 1) {
    const summary = 'Compare the next videos'
    const result = await removeUnusedObjects.executeWithOptions({ summary }, [position])
    const { removed, failed = 0, next } = result
    failedCount += failed
    if (!next) return failIfAny(failedCount)
    position = next
    count += removed
    setCurrentDetails(
      `${OBJECT_ROOTS[next.root]}${next.after}: ${count} objects removed in this run, ${failedCount} folders failed`,
    )
  }
  await continueAsNew<typeof reconcileObjects>(position, failedCount)
}

function failIfAny(failedFolders: number): void {
  if (failedFolders === 0) return
  const message = `Unused objects of ${failedFolders} folders could not be removed; the log of the worker names them.`
  throw ApplicationFailure.nonRetryable(message, 'unused_objects_kept')
}
