import { continueAsNew, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow'
import type { createWebhookActivities } from '../activities/webhooks/webhook-activities.ts'
import type { SettleEndpointInput } from '../domain/webhooks/webhook-delivery.ts'
import { UNTIL_DONE } from './until-done.ts'

const { clearEndpoint } = proxyActivities<ReturnType<typeof createWebhookActivities>>(UNTIL_DONE)

const FULL_WAIT = '1 second'
/** Keeps a run's history below a thousand events; the next run continues. */
const STEPS_PER_RUN = 60

/** Removes a deleted endpoint with its deliveries, or ends the deliveries that waited when it was disabled. */
export async function settleEndpoint(input: SettleEndpointInput): Promise<void> {
  let count = 0
  for (let step = 1; step <= STEPS_PER_RUN; step += 1) {
    const summary = 'Remove or end its next deliveries'
    const { outcome, deliveryCount } = await clearEndpoint.executeWithOptions({ summary }, [input])
    if (outcome === 'ended') return
    count += deliveryCount
    setCurrentDetails(`${count} deliveries in this run`)
    if (outcome === 'full') await sleep(FULL_WAIT, { summary: 'Wait for cancellations' })
  }
  return continueAsNew<typeof settleEndpoint>(input)
}
