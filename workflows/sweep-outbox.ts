import { proxyActivities } from '@temporalio/workflow'
import type { createSweepOutbox, SweepResult } from '../activities/sweep-outbox.ts'

interface SweepActivities {
  sweepOutbox: ReturnType<typeof createSweepOutbox>
}

const activities = proxyActivities<SweepActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  // The next minute brings another sweep: there is no use in trying for long.
  retry: { initialInterval: '5 seconds', maximumAttempts: 3 },
})

/** Started by the Schedule each minute: gives a workflow to every row that should have one and has none. */
export async function sweepOutbox(): Promise<SweepResult> {
  return activities.sweepOutbox.executeWithOptions({ summary: 'Look for lost work' }, [])
}
