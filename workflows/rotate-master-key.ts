import {
  ApplicationFailure,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow'
import type { createWebhookActivities } from '../activities/webhooks/webhook-activities.ts'
import {
  afterBatch,
  startPass,
  unreadableText,
  type RotateMasterKeyInput,
  type RotateMasterKeyResult,
  type RotationProgress,
} from '../domain/master-key-rotation.ts'

type WebhookActivities = ReturnType<typeof createWebhookActivities>

const retry = { initialInterval: '1 second', maximumInterval: '1 minute' } as const

/** A batch takes a fraction of a second; another worker takes over soon after one was killed. */
const { resealValues } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '10 seconds',
  retry,
})

const { countOlderValues } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '2 minutes',
  retry,
})

/** Keeps a run's history well below a thousand events; the next run continues. */
const BATCHES_PER_RUN = 60
/** A pass finds what was sealed under an older version during the one before. */
const PASSES_MAX = 3

/**
 * Seals every stored value under one version of the master key, in batches (ADR 0006). The values record the
 * progress, because each names its version, so a rotation can be ended and started again at any time. Fails
 * with `values_unreadable` or `older_version_in_use` when all other values are sealed again.
 */
export async function rotateMasterKey({
  version,
  progress,
}: RotateMasterKeyInput): Promise<RotateMasterKeyResult> {
  let now = progress ?? startPass(await countOlder(version), { pass: 1, resealedCount: 0 })
  for (let batch = 1; batch <= BATCHES_PER_RUN; batch += 1) {
    now = await resealBatch(version, now)
    if (now.position !== null) continue
    const olderCount = await countOlder(version)
    if (olderCount <= now.unreadableCount) return end(version, now)
    if (now.pass === PASSES_MAX) throw stillSealing(version, olderCount - now.unreadableCount)
    now = startPass(olderCount, { pass: now.pass + 1, resealedCount: now.resealedCount })
  }
  return continueAsNew<typeof rotateMasterKey>({ version, progress: now })
}

const countOlder = (version: number): Promise<number> =>
  countOlderValues.executeWithOptions({ summary: 'Count values' }, [{ version }])

async function resealBatch(version: number, before: RotationProgress): Promise<RotationProgress> {
  const { position } = before
  const summary = position === null ? `Pass ${before.pass}` : `Seal again: ${position.kind}`
  const batch = await resealValues.executeWithOptions({ summary }, [{ version, position }])
  const after = afterBatch(before, batch)
  setCurrentDetails(
    `Sealed ${after.resealedCount} values under version ${version}; ` +
      `${before.olderCount} were under other versions at the start of pass ${after.pass}.`,
  )
  return after
}

function end(version: number, now: RotationProgress): RotateMasterKeyResult {
  if (now.unreadableCount > 0)
    throw ApplicationFailure.nonRetryable(
      `${unreadableText(now)} All others are sealed under version ${version}. ` +
        `Restore the keys or the rows, then start the rotation again.`,
      'values_unreadable',
    )
  return { version, resealedCount: now.resealedCount }
}

const stillSealing = (version: number, count: number): ApplicationFailure =>
  ApplicationFailure.nonRetryable(
    `${count} values were sealed under another version during the rotation. ` +
      `Give every process the same MASTER_KEY, version ${version} first, then start the rotation again.`,
    'older_version_in_use',
  )
