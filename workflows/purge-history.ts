import { proxyActivities } from '@temporalio/workflow'
import type { createMaintenanceActivities } from '../activities/maintenance-activities.ts'

const activities = proxyActivities<ReturnType<typeof createMaintenanceActivities>>({
  startToCloseTimeout: '45 minutes',
  heartbeatTimeout: '1 minute',
  // Few attempts: the next run follows within the hour.
  retry: { initialInterval: '10 seconds', maximumAttempts: 3 },
})

/** Deletes data after its retention period (contract, "Limits"). A Schedule starts it each hour. */
export async function purgeHistory(): Promise<void> {
  await activities.purgeDeliveries.executeWithOptions({ summary: 'Delete old deliveries' }, [])
  await activities.purgeUpkeep.executeWithOptions({ summary: 'Delete old runs of Schedules' }, [])
}
