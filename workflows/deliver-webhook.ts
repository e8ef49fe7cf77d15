import {
  condition,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow'
import type { createCancelDelivery } from '../activities/cancel-delivery.ts'
import type {
  createSendWebhook,
  SendWebhookInput,
  SendWebhookResult,
} from '../activities/send-webhook.ts'
import type { AttemptAnswer } from '../domain/delivery-schedule.ts'
import { endWhenCancelled } from './end-when-cancelled.ts'
import { answerText } from './webhook-answer-text.ts'
import { waitText } from './webhook-wait-text.ts'

export interface DeliverWebhookInput {
  deliveryId: number
  accountId: number
}

export interface DeliverWebhookResult {
  /** `gone`: the delivery or its endpoint was deleted. */
  outcome: 'delivered' | 'failed' | 'gone'
  /** Of the last attempt; null where there was none. */
  lastAnswer: AttemptAnswer | null
}

/**
 * Ends the wait for the next attempt, or the one that follows the attempt under way. While an
 * attempt that was asked for is under way it asks for nothing more.
 */
const retryNowSignal = defineSignal('retryNow')

interface WebhookActivities {
  sendWebhook: ReturnType<typeof createSendWebhook>
  cancelDelivery: ReturnType<typeof createCancelDelivery>
}

/** The lookup's 10 s, the request's 15 s and what a busy process adds to each, and the tries to record it. */
const ATTEMPT_TIMEOUT = '1 minute'

/**
 * An attempt is an answer, not a failure of the activity: these retries are for the machinery alone
 * (the database away, the worker killed) and repeat the same attempt.
 */
const regular = proxyActivities<WebhookActivities>({
  startToCloseTimeout: ATTEMPT_TIMEOUT,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
})

/**
 * The first attempt runs within the workflow's first task: most deliveries need no other one, and
 * that halves what a delivery costs the server. It is tried once; a worker that dies in it is
 * noticed by the task's own timeout.
 */
const local = proxyLocalActivities<WebhookActivities>({
  startToCloseTimeout: ATTEMPT_TIMEOUT,
  retry: { maximumAttempts: 1 },
})

/**
 * Attempts one delivery until it is delivered or its fifth attempt has failed (spec, "Retries").
 * The row decides which attempt is next and when, so a workflow that is started anew goes on
 * where the one before it stopped. An attempt is one activity, a wait is one timer. Cancelled, it
 * ends the delivery too.
 */
export async function deliverWebhook(input: DeliverWebhookInput): Promise<DeliverWebhookResult> {
  return endWhenCancelled(
    () => attemptUntilEnded(input),
    () => recordCancellation(input),
  )
}

async function attemptUntilEnded(input: DeliverWebhookInput): Promise<DeliverWebhookResult> {
  const { deliveryId, accountId } = input
  let isRetryWanted = false
  setHandler(retryNowSignal, () => {
    isRetryWanted = true
  })
  let trigger: 'schedule' | 'manual' = 'schedule'
  let lastAnswer: AttemptAnswer | null = null
  for (let number = 1; ;) {
    const result: SendWebhookResult = await attempt({ deliveryId, number, trigger }, accountId)
    lastAnswer = result.answer ?? lastAnswer
    if (result.outcome !== 'retry') {
      showDetails(lastAnswer, `Ended: ${result.outcome}`)
      return { outcome: result.outcome, lastAnswer }
    }
    if (trigger === 'manual') isRetryWanted = false
    number = result.nextNumber
    if (result.waitMs > 0) {
      const summary = `Waiting ${waitText(result.waitMs)} before attempt ${number}`
      showDetails(lastAnswer, summary)
      await condition(() => isRetryWanted, result.waitMs, { summary })
    }
    trigger = isRetryWanted ? 'manual' : 'schedule'
  }
}

async function attempt(input: SendWebhookInput, accountId: number): Promise<SendWebhookResult> {
  const summary = `Attempt ${input.number}`
  setCurrentDetails(summary)
  if (input.number === 1) {
    try {
      return await local.sendWebhook.executeWithOptions({ summary }, [input])
    } catch {
      // Also a worker that stops comes here. A workflow that was cancelled does not get past the next line.
    }
  }
  const priority = { fairnessKey: String(accountId) }
  return regular.sendWebhook.executeWithOptions({ summary, priority }, [input])
}

const recordCancellation = ({ deliveryId }: DeliverWebhookInput): Promise<void> =>
  regular.cancelDelivery.executeWithOptions({ summary: 'Record the cancellation' }, [
    { deliveryId },
  ])

/** What the Web UI shows of the delivery; it costs no command. */
const showDetails = (lastAnswer: AttemptAnswer | null, now: string): void =>
  setCurrentDetails([...(lastAnswer ? [answerText(lastAnswer)] : []), now].join('\n\n'))
