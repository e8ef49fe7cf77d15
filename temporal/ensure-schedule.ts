import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
import type { Client, ScheduleOptions } from '@temporalio/client'
import { TASK_QUEUES } from './task-queues.ts'
import { RETENTION_SCHEDULE_ID, SWEEP_SCHEDULE_ID } from './workflow-ids.ts'

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

const RETENTION = {
  scheduleId: RETENTION_SCHEDULE_ID,
  spec: { intervals: [{ every: '1 hour' }] },
  action: {
    type: 'startWorkflow',
    workflowType: 'purgeHistory',
    workflowId: RETENTION_SCHEDULE_ID,
    taskQueue: TASK_QUEUES.webhooks,
    args: [],
    staticSummary: 'Delete what was kept for long enough',
    workflowExecutionTimeout: '3 hours',
  },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
} satisfies ScheduleOptions

const SCHEDULES: ScheduleOptions[] = [SWEEP, RETENTION]

/**
 * Makes sure that the sweep runs every minute (design, section 4) and the retention every hour, as
 * this version wants them; safe to repeat and from several workers at once. Throws where Temporal
 * cannot be reached.
 */
export async function ensureSchedules(client: Client): Promise<void> {
  for (const wanted of SCHEDULES)
    if (!(await create(client, wanted)))
      await client.schedule
        .getHandle(wanted.scheduleId)
        .update((current) => ({ ...current, ...wanted }))
}

/** Creates the Schedules that are missing, and changes none. */
export async function createSchedules(client: Client): Promise<void> {
  for (const wanted of SCHEDULES) await create(client, wanted)
}

async function create(client: Client, wanted: ScheduleOptions): Promise<boolean> {
  try {
    await client.schedule.create(wanted)
    return true
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return false
    throw error
  }
}
