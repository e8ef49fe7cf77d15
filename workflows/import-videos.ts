import {
  continueAsNew,
  defineQuery,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow'
import type { createWebhookActivities } from '../activities/webhooks/webhook-activities.ts'
import type { ImportRound, ImportVideosInput } from '../domain/imports/video-import.ts'
import { recordWhenCancelled } from './record-when-cancelled.ts'

const activities = proxyActivities<ReturnType<typeof createWebhookActivities>>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
})

/** Keeps a run's history well below a thousand events; the next run continues. */
const ROUNDS_PER_RUN = 60
const WAIT = '5 seconds'

const progressQuery = defineQuery<ImportRound | null>('progress')

/**
 * Makes videos of the lines of an import, some at a time. The rows record what has become of each line, and each
 * video has its own workflow; this one starts the next lines when others are done.
 */
export async function importVideos(input: ImportVideosInput): Promise<void> {
  await recordWhenCancelled(
    () => startLines(input),
    () => activities.endImport.executeWithOptions({ summary: 'Record the cancellation' }, [input]),
  )
}

async function startLines(input: ImportVideosInput): Promise<void> {
  let progress: ImportRound | null = null
  setHandler(progressQuery, () => progress)
  for (let round = 1; round <= ROUNDS_PER_RUN; round += 1) {
    progress = await activities.advanceImport.executeWithOptions({ summary: 'Next videos' }, [
      input,
    ])
    if (progress.isEnded) return
    setCurrentDetails(`${progress.waiting} lines wait, ${progress.started} videos are made`)
    await sleep(WAIT, { summary: 'Waiting for videos' })
  }
  await continueAsNew<typeof importVideos>(input)
}
