import { proxyActivities } from '@temporalio/workflow'
import type { createWebhookActivities } from '../activities/webhooks/webhook-activities.ts'

type WebhookActivities = ReturnType<typeof createWebhookActivities>

const activities = proxyActivities<WebhookActivities>({
  // A backlog of hours takes minutes.
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '2 minutes',
  // Few attempts: the next run follows within the minute.
  retry: { initialInterval: '5 seconds', maximumAttempts: 3 },
})

/** Adds playback sessions that have ended to the sums of the audience (ADR 0065), and erases viewers. A Schedule starts it each minute. */
export async function countAudience(): Promise<void> {
  const { countAudience: count, eraseViewers } = activities
  const steps = [
    count.executeWithOptions({ summary: 'Add sessions that have ended' }, []),
    eraseViewers.executeWithOptions({ summary: 'Erase viewers' }, []),
  ]
  const failed = (await Promise.allSettled(steps)).find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}
