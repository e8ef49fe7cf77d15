import {
  continueAsNew,
  defineQuery,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow'
import type { createCancelReplay } from '../activities/cancel-replay.ts'
import type { createReplayBatch } from '../activities/replay-batch.ts'
import type { ReplayBatch } from '../domain/webhook-replay.ts'
import { endWhenCancelled } from './end-when-cancelled.ts'

export interface ReplayWebhooksInput {
  replayId: number
}

interface ReplayActivities {
  replayBatch: ReturnType<typeof createReplayBatch>
  cancelReplay: ReturnType<typeof createCancelReplay>
}

const activities = proxyActivities<ReplayActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
})

/** A history ends after so many batches, well below a thousand events, and another goes on. */
const BATCHES_OF_A_RUN = 60
const FULL_WAIT = '2 seconds'

const progressQuery = defineQuery<ReplayBatch | null>('progress')

/**
 * Sends the events of a range again, a batch at a time. The row says how far it has come, and each
 * delivery has a workflow of its own; this one sees to it that not too many of them wait.
 */
export async function replayWebhooks(input: ReplayWebhooksInput): Promise<void> {
  await endWhenCancelled(
    () => handOut(input),
    () => recordCancellation(input),
  )
}

async function handOut(input: ReplayWebhooksInput): Promise<void> {
  let progress: ReplayBatch | null = null
  setHandler(progressQuery, () => progress)
  for (let batch = 1; batch <= BATCHES_OF_A_RUN; batch += 1) {
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
