import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
import type { Client, ScheduleOptions } from '@temporalio/client'
import { TASK_QUEUES } from './task-queues.ts'
import { RETENTION_SCHEDULE_ID, SWEEP_SCHEDULE_ID } from './workflow-ids.ts'

interface Upkeep {
  id: string
  every: '1 minute' | '1 hour'
  workflowType: 'sweepOutbox' | 'purgeHistory'
  staticSummary: string
  /** A worker that is away for longer leaves nothing behind that would keep later runs out. */
  workflowExecutionTimeout: '15 minutes' | '3 hours'
}

const scheduleOf = ({ id, every, ...workflow }: Upkeep): ScheduleOptions => ({
  scheduleId: id,
  spec: { intervals: [{ every }] },
  action: {
    ...{ type: 'startWorkflow', workflowId: id, taskQueue: TASK_QUEUES.webhooks, args: [] },
    ...workflow,
  },
  // One run makes up for all that were missed.
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: every },
})

const SCHEDULES = [
  scheduleOf({
    id: SWEEP_SCHEDULE_ID,
    every: '1 minute',
    workflowType: 'sweepOutbox',
    staticSummary: 'Look for lost work',
    workflowExecutionTimeout: '15 minutes',
  }),
  scheduleOf({
    id: RETENTION_SCHEDULE_ID,
    every: '1 hour',
    workflowType: 'purgeHistory',
    staticSummary: 'Delete what was kept for long enough',
    workflowExecutionTimeout: '3 hours',
  }),
]

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
