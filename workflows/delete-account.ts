import { continueAsNew, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow'
import type { createWebhookActivities } from '../activities/webhooks/webhook-activities.ts'
import type { DeleteAccountInput } from '../domain/accounts/account-deletion.ts'
import { UNTIL_DONE } from './until-done.ts'

const { removeAccount } = proxyActivities<ReturnType<typeof createWebhookActivities>>(UNTIL_DONE)

const WAIT = '10 seconds'
/** Keeps a run's history below a thousand events; the next run continues. */
const ROUNDS_PER_RUN = 60

/** Removes a deleted account when the workflows of its videos have removed their objects. */
export async function deleteAccount(input: DeleteAccountInput): Promise<void> {
  for (let round = 1; round <= ROUNDS_PER_RUN; round += 1) {
    const summary = 'Remove its rows, if its objects are gone'
    const { waitingVideos } = await removeAccount.executeWithOptions({ summary }, [input])
    if (waitingVideos === 0) return
    setCurrentDetails(`${waitingVideos} videos and uploads still have objects.`)
    await sleep(WAIT, { summary: 'Wait for the deletion of its videos' })
  }
  return continueAsNew<typeof deleteAccount>(input)
}
