import {
  condition,
  defineSignal,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow'
import type { createWebhookActivities } from '../activities/webhooks/webhook-activities.ts'
import type {
  AttemptResponse,
  DeliverWebhookInput,
  DeliverWebhookResult,
  SendWebhookInput,
  SendWebhookResult,
} from '../domain/webhooks/webhook-delivery.ts'
import { showDetails, waitText } from './delivery-details.ts'
import { recordWhenCancelled } from './record-when-cancelled.ts'

/**
 * Ends the wait for the next attempt; during an attempt, skips the wait that follows it. During a manual attempt it has an effect only
 * if that attempt was recorded when the row took the request: `recordedCount` is how many attempts the row had then. Relays of the release
 * before do not name it.
 */
const retryNowSignal = defineSignal<[recordedCount?: number]>('retryNow')

type WebhookActivities = ReturnType<typeof createWebhookActivities>

/** 10 s for the DNS lookup and 15 s for the request, both longer in a busy process, and time to record it. */
const ATTEMPT_TIMEOUT = '1 minute'

/**
 * A failed attempt is a result of the activity, not its failure. These retries are for internal errors
 * (an unavailable database, a killed worker) and repeat the same attempt.
 */
const regular = proxyActivities<WebhookActivities>({
  startToCloseTimeout: ATTEMPT_TIMEOUT,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
})

/**
 * The first attempt runs within the workflow's first task. Most deliveries need no other attempt, so
 * this halves the server's work per delivery. It runs once; the task's own timeout detects a worker
 * that dies during it (ADR 0007).
 */
const local = proxyLocalActivities<WebhookActivities>({
  startToCloseTimeout: ATTEMPT_TIMEOUT,
  retry: { maximumAttempts: 1 },
})

/**
 * Attempts a delivery until it is delivered or its fifth scheduled attempt has failed (contract, "Retries").
 * Each attempt is one activity, each wait one timer. The row decides the number and time of the next
 * attempt, so a second workflow continues where the first one stopped. A cancellation also ends the delivery.
 */
export async function deliverWebhook(input: DeliverWebhookInput): Promise<DeliverWebhookResult> {
  return recordWhenCancelled(
    () => attemptUntilEnded(input),
    () => recordCancellation(input),
  )
}

async function attemptUntilEnded(input: DeliverWebhookInput): Promise<DeliverWebhookResult> {
  const { deliveryId, accountId } = input
  let isRetryRequested = false
  /** The number of the attempt that a request in the row asks for; 0 if it is made or not known. */
  let requestedNumber = 0
  setHandler(retryNowSignal, (recordedCount) => {
    isRetryRequested = true
    if (recordedCount !== undefined) requestedNumber = Math.max(requestedNumber, recordedCount + 1)
  })
  let trigger: 'schedule' | 'manual' = 'schedule'
  let lastAnswer: AttemptResponse | null = null
  for (let number = 1; ;) {
    const result: SendWebhookResult = await attempt({ deliveryId, number, trigger }, accountId)
    lastAnswer = result.answer ?? lastAnswer
    if (result.outcome !== 'retry') {
      showDetails(lastAnswer, `Ended: ${result.outcome}`)
      return { outcome: result.outcome, lastAnswer }
    }
    number = result.nextNumber
    if (trigger === 'manual') {
      // Requests until the attempt was recorded are this attempt; one of after that asks for the next.
      isRetryRequested = requestedNumber >= number && patched('retry-after-record')
      requestedNumber = 0
    }
    if (result.waitMs > 0) {
      const summary = `Waiting ${waitText(result.waitMs)} before attempt ${number}`
      showDetails(lastAnswer, summary)
      await condition(() => isRetryRequested, result.waitMs, { summary })
    }
    trigger = isRetryRequested ? 'manual' : 'schedule'
  }
}

async function attempt(input: SendWebhookInput, accountId: number): Promise<SendWebhookResult> {
  const summary = `Attempt ${input.number}`
  setCurrentDetails(summary)
  if (input.number === 1) {
    try {
      return await local.sendWebhook.executeWithOptions({ summary }, [input])
    } catch {
      // The regular activity repeats the attempt after an internal error. If the workflow is cancelled, it fails there.
    }
  }
  const priority = { fairnessKey: String(accountId) }
  return regular.sendWebhook.executeWithOptions({ summary, priority }, [input])
}

const recordCancellation = ({ deliveryId }: DeliverWebhookInput): Promise<void> =>
  regular.cancelDelivery.executeWithOptions({ summary: 'Record the cancellation' }, [
    { deliveryId },
  ])
