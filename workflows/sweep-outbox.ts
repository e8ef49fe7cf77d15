import { proxyActivities } from '@temporalio/workflow'
import type { createMaintenanceActivities } from '../activities/maintenance-activities.ts'

type MaintenanceActivities = ReturnType<typeof createMaintenanceActivities>

const activities = proxyActivities<MaintenanceActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  // Few attempts: the next sweep follows within the minute.
  retry: { initialInterval: '5 seconds', maximumAttempts: 3 },
})

/**
 * Restarts lost work, and deletes expired responses and earlier runs of the Schedules. A Schedule
 * starts it each minute.
 */
export async function sweepOutbox(): ReturnType<MaintenanceActivities['sweepOutbox']> {
  const summary = 'Look for lost work'
  const result = await activities.sweepOutbox.executeWithOptions({ summary }, [])
  await activities.purgeExpired.executeWithOptions({ summary: 'Delete expired responses' }, [])
  await activities.purgeUpkeep.executeWithOptions({ summary: 'Delete old runs of Schedules' }, [])
  return result
}
