import {
  condition,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow'
import type { createSendWebhook } from '../activities/send-webhook.ts'
import { waitText } from './webhook-wait-text.ts'

export interface DeliverWebhookInput {
  deliveryId: number
  accountId: number
}

/** `gone`: the delivery or its endpoint was deleted. */
export type DeliverWebhookResult = 'delivered' | 'failed' | 'gone'

/**
 * Ends the wait for the next attempt, or the one that follows the attempt under way. While an
 * attempt that was asked for is under way it asks for nothing more.
 */
const retryNowSignal = defineSignal('retryNow')

interface WebhookActivities {
  sendWebhook: ReturnType<typeof createSendWebhook>
}

/**
 * An attempt is an answer, not a failure of the activity: these retries are for the machinery alone
 * (the database away, the worker killed) and repeat the same attempt. The timeout covers the
 * request's 15 s, its queries and the tries to record it.
 */
const { sendWebhook } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '40 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
})

/**
 * Attempts one delivery until it is delivered or its fifth attempt has failed (spec, "Retries").
 * The row decides which attempt is next and when, so a workflow that is started anew goes on
 * where the one before it stopped. An attempt is one activity, a wait is one timer.
 */
export async function deliverWebhook(input: DeliverWebhookInput): Promise<DeliverWebhookResult> {
  const { deliveryId, accountId } = input
  const priority = { fairnessKey: String(accountId) }
  let isRetryWanted = false
  setHandler(retryNowSignal, () => {
    isRetryWanted = true
  })
  let trigger: 'schedule' | 'manual' = 'schedule'
  for (let number = 1; ;) {
    const summary = `Attempt ${number}`
    setCurrentDetails(summary)
    const attempt = { deliveryId, number, trigger }
    const result = await sendWebhook.executeWithOptions({ summary, priority }, [attempt])
    if (result.outcome !== 'retry') {
      setCurrentDetails(`Ended: ${result.outcome}`)
      return result.outcome
    }
    if (trigger === 'manual') isRetryWanted = false
    number = result.nextNumber
    await waitForAttempt(number, result.waitMs, () => isRetryWanted)
    trigger = isRetryWanted ? 'manual' : 'schedule'
  }
}

async function waitForAttempt(
  number: number,
  waitMs: number,
  isEnded: () => boolean,
): Promise<void> {
  if (waitMs <= 0) return
  const summary = `Waiting ${waitText(waitMs)} before attempt ${number}`
  setCurrentDetails(summary)
  await condition(isEnded, waitMs, { summary })
}
