import { proxyActivities } from '@temporalio/workflow'
import type { createPurgeDeliveries } from '../activities/purge-deliveries.ts'
import type { createPurgeUpkeep } from '../activities/purge-upkeep.ts'

interface PurgeActivities {
  purgeDeliveries: ReturnType<typeof createPurgeDeliveries>
  purgeUpkeep: ReturnType<typeof createPurgeUpkeep>
}

const activities = proxyActivities<PurgeActivities>({
  startToCloseTimeout: '45 minutes',
  heartbeatTimeout: '1 minute',
  // The next hour brings another: there is no use in trying for long.
  retry: { initialInterval: '10 seconds', maximumAttempts: 3 },
})

/** Started by the Schedule each hour: what was kept for long enough goes (spec, "Limits"). */
export async function purgeHistory(): Promise<void> {
  await activities.purgeDeliveries.executeWithOptions({ summary: 'Delete old deliveries' }, [])
  await activities.purgeUpkeep.executeWithOptions({ summary: "Delete the Schedules' own runs" }, [])
}
