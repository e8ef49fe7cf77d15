import { proxyActivities } from '@temporalio/workflow'
import type { createWebhookActivities } from '../activities/webhooks/webhook-activities.ts'

type WebhookActivities = ReturnType<typeof createWebhookActivities>

// An account of millions of videos is counted by one statement, which may take a minute.
const foldActivities = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '2 minutes',
  // Few attempts: the next run follows within the minute.
  retry: { initialInterval: '5 seconds', maximumAttempts: 3 },
})

const checkActivities = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '11 hours',
  heartbeatTimeout: '2 minutes',
  retry: { initialInterval: '10 seconds', maximumInterval: '5 minutes', maximumAttempts: 20 },
})

/** Adds what has changed to the sums of accounts (ADR 0061). A Schedule starts it each minute. */
export const foldSums = (): ReturnType<WebhookActivities['foldSums']> =>
  foldActivities.foldSums.executeWithOptions({ summary: 'Add what has changed' }, [])

/** Compares the sums of accounts with their videos, and repairs them. A Schedule starts it each night. */
export const checkSums = (): ReturnType<WebhookActivities['checkSums']> =>
  checkActivities.checkSums.executeWithOptions({ summary: 'Compare sums with videos' }, [])
