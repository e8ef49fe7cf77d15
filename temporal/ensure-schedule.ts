import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
import type { Client, ScheduleOptions } from '@temporalio/client'
import { TASK_QUEUES } from './task-queues.ts'
import { SWEEP_SCHEDULE_ID } from './workflow-ids.ts'

const SWEEP = {
  scheduleId: SWEEP_SCHEDULE_ID,
  spec: { intervals: [{ every: '1 minute' }] },
  action: {
    type: 'startWorkflow',
    workflowType: 'sweepOutbox',
    workflowId: SWEEP_SCHEDULE_ID,
    taskQueue: TASK_QUEUES.webhooks,
    args: [],
    staticSummary: 'Look for lost work',
    // A worker that is away for longer leaves nothing behind that would keep later sweeps out.
    workflowExecutionTimeout: '15 minutes',
  },
  policies: {
    overlap: ScheduleOverlapPolicy.SKIP,
    // One sweep makes up for all that were missed.
    catchupWindow: '1 minute',
  },
} satisfies ScheduleOptions

/**
 * Makes sure that the sweep runs every minute (design, section 4), as this version wants it; safe to
 * repeat and from several workers at once. Throws where Temporal cannot be reached.
 */
export async function ensureSweepSchedule(client: Client): Promise<void> {
  if (await createSweepSchedule(client)) return
  const schedule = client.schedule.getHandle(SWEEP_SCHEDULE_ID)
  await schedule.update((current) => ({ ...current, ...SWEEP }))
}

/** Creates the Schedule where there is none; false, changing nothing, where there is one. */
export async function createSweepSchedule(client: Client): Promise<boolean> {
  try {
    await client.schedule.create(SWEEP)
    return true
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return false
    throw error
  }
}
