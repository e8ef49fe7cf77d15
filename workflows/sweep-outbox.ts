import { proxyActivities } from '@temporalio/workflow'
import type { createPurgeExpired } from '../activities/purge-expired.ts'
import type { createPurgeUpkeep } from '../activities/purge-upkeep.ts'
import type { createSweepOutbox, SweepResult } from '../activities/sweep-outbox.ts'

interface SweepActivities {
  sweepOutbox: ReturnType<typeof createSweepOutbox>
  purgeExpired: ReturnType<typeof createPurgeExpired>
  purgeUpkeep: ReturnType<typeof createPurgeUpkeep>
}

const activities = proxyActivities<SweepActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  // The next minute brings another sweep: there is no use in trying for long.
  retry: { initialInterval: '5 seconds', maximumAttempts: 3 },
})

/**
 * Started by the Schedule each minute: lost work gets a workflow, and what has expired goes, earlier runs of this
 * workflow too.
 */
export async function sweepOutbox(): Promise<SweepResult> {
  const found = await activities.sweepOutbox.executeWithOptions(
    { summary: 'Look for lost work' },
    [],
  )
  await activities.purgeExpired.executeWithOptions({ summary: 'Forget expired answers' }, [])
  await activities.purgeUpkeep.executeWithOptions({ summary: 'Delete earlier sweeps' }, [])
  return found
}
