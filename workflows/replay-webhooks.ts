import {
  continueAsNew,
  defineQuery,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow'
import type { createWebhookActivities } from '../activities/webhooks/webhook-activities.ts'
import type { ReplayBatch, ReplayWebhooksInput } from '../domain/webhooks/webhook-delivery.ts'
import { recordWhenCancelled } from './record-when-cancelled.ts'

const activities = proxyActivities<ReturnType<typeof createWebhookActivities>>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
})

/** Keeps a run's history well below a thousand events; the next run continues. */
const BATCHES_PER_RUN = 60
const FULL_WAIT = '2 seconds'

const progressQuery = defineQuery<ReplayBatch | null>('progress')

/**
 * Sends the events of a range again, in batches. The row records the position in the range, and each
 * delivery has its own workflow; this one limits how many deliveries wait at the same time.
 */
export async function replayWebhooks(input: ReplayWebhooksInput): Promise<void> {
  await recordWhenCancelled(
    () => createDeliveries(input),
    () => recordCancellation(input),
  )
}

async function createDeliveries(input: ReplayWebhooksInput): Promise<void> {
  let progress: ReplayBatch | null = null
  setHandler(progressQuery, () => progress)
  for (let batch = 1; batch <= BATCHES_PER_RUN; batch += 1) {
    progress = await activities.replayBatch.executeWithOptions({ summary: 'Next events' }, [input])
    setCurrentDetails(`${progress.scannedCount} of ${progress.eventCount} events`)
    if (progress.outcome === 'ended') return
    if (progress.outcome === 'full')
      await sleep(FULL_WAIT, { summary: 'Waiting for first attempts' })
  }
  await continueAsNew<typeof replayWebhooks>(input)
}

const recordCancellation = (input: ReplayWebhooksInput): Promise<void> =>
  activities.cancelReplay.executeWithOptions({ summary: 'Record the cancellation' }, [input])
