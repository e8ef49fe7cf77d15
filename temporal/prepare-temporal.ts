import { setTimeout as sleep } from 'node:timers/promises'
import {
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client'
import proto from '@temporalio/proto'
import type { Logger } from 'pino'
import { inNamespace } from './connect.ts'
import {
  ACCOUNT_ID,
  AUDIENCE_SCHEDULE_ID,
  CHECK_SCHEDULE_ID,
  FOLD_SCHEDULE_ID,
  OBJECTS_SCHEDULE_ID,
  RETENTION_SCHEDULE_ID,
  SWEEP_SCHEDULE_ID,
  TASK_QUEUES,
  VIDEO_ID,
  VIDEO_STATUS,
} from './names.ts'

// `@temporalio/proto` is a CommonJS package: Node finds no named exports in it.
const { IndexedValueType } = proto.temporal.api.enums.v1

const EVERY_MS = 15_000
const RETRY_MS = 2_000
const DEADLINE_MS = 10_000

/**
 * Creates the search attributes and the Schedules that Temporal lacks, immediately and every 15 seconds,
 * because a server that lost its store restarts without both. Runs until `stop`.
 */
export function keepTemporalPrepared(
  client: Client,
  deliveriesNamespace: string,
  logger: Logger,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const keep = async (): Promise<void> => {
    // The first success brings the Schedules to this version; later runs only create missing ones.
    let prepareSchedules = updateSchedules
    const clients = new Set([client, inNamespace(client, deliveriesNamespace)])
    while (!signal.aborted) {
      let waitMs = EVERY_MS
      try {
        await prepare(client, signal, async () => {
          for (const one of clients) await ensureSearchAttributes(one)
          await prepareSchedules(client)
        })
        prepareSchedules = createSchedules
      } catch (error) {
        logger.debug({ err: error }, 'Temporal is not prepared yet')
        waitMs = RETRY_MS
      }
      await sleep(waitMs, undefined, { signal }).catch(() => {})
    }
  }
  const done = keep()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}

const prepare = (client: Client, signal: AbortSignal, work: () => Promise<void>): Promise<void> =>
  client.withAbortSignal(signal, () => client.withDeadline(Date.now() + DEADLINE_MS, work))

const SEARCH_ATTRIBUTE_TYPES: Record<string, proto.temporal.api.enums.v1.IndexedValueType> = {
  [ACCOUNT_ID.name]: IndexedValueType.INDEXED_VALUE_TYPE_INT,
  [VIDEO_ID.name]: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  [VIDEO_STATUS.name]: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
}

/** Returns the names of the search attributes that the client's namespace lacks. */
export async function missingSearchAttributes(client: Client): Promise<string[]> {
  const { namespace } = client.options
  const { customAttributes } = await client.connection.operatorService.listSearchAttributes({
    namespace,
  })
  return Object.keys(SEARCH_ATTRIBUTE_TYPES).filter((name) => !(name in customAttributes))
}

/** Registers the missing search attributes. Safe to repeat, and safe on the database of an older version. */
export async function ensureSearchAttributes(client: Client): Promise<void> {
  const { operatorService } = client.connection
  const { namespace } = client.options
  const missing = await missingSearchAttributes(client)
  if (missing.length === 0) return
  const searchAttributes = Object.fromEntries(
    Object.entries(SEARCH_ATTRIBUTE_TYPES).filter(([name]) => missing.includes(name)),
  )
  try {
    await operatorService.addSearchAttributes({ namespace, searchAttributes })
  } catch (error) {
    // Another worker has registered them.
    if (!isGrpcServiceError(error) || !/already exists/i.test(error.message)) throw error
  }
}

interface MaintenanceSchedule {
  id: string
  every: '1 minute' | '1 hour' | '1 day' | '1 week'
  workflowType:
    'sweepOutbox' | 'purgeHistory' | 'reconcileObjects' | 'foldSums' | 'checkSums' | 'countAudience'
  staticSummary: string
  /** Ends a run whose worker is gone, because later runs do not start while it is running. Absent for one that continues then. */
  workflowExecutionTimeout?: '15 minutes' | '3 hours' | '12 hours'
}

const scheduleOf = (schedule: MaintenanceSchedule): ScheduleOptions => ({
  scheduleId: schedule.id,
  spec: { intervals: [{ every: schedule.every }] },
  action: {
    type: 'startWorkflow',
    workflowId: schedule.id,
    workflowType: schedule.workflowType,
    taskQueue: TASK_QUEUES.webhooks,
    args: [],
    staticSummary: schedule.staticSummary,
    ...(schedule.workflowExecutionTimeout && {
      workflowExecutionTimeout: schedule.workflowExecutionTimeout,
    }),
  },
  // One run does the work of all missed ones.
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: schedule.every },
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
    staticSummary: 'Delete data after its retention period',
    workflowExecutionTimeout: '3 hours',
  }),
  scheduleOf({
    id: OBJECTS_SCHEDULE_ID,
    every: '1 week',
    workflowType: 'reconcileObjects',
    staticSummary: 'Remove objects that no video needs',
  }),
  scheduleOf({
    id: FOLD_SCHEDULE_ID,
    every: '1 minute',
    workflowType: 'foldSums',
    staticSummary: 'Add what has changed to the sums of accounts',
    workflowExecutionTimeout: '15 minutes',
  }),
  scheduleOf({
    id: AUDIENCE_SCHEDULE_ID,
    every: '1 minute',
    workflowType: 'countAudience',
    staticSummary: 'Add playback sessions to the sums of the audience',
    workflowExecutionTimeout: '3 hours',
  }),
  scheduleOf({
    id: CHECK_SCHEDULE_ID,
    every: '1 day',
    workflowType: 'checkSums',
    staticSummary: 'Compare the sums of accounts with their videos',
    workflowExecutionTimeout: '12 hours',
  }),
]

/** Creates the Schedules, or brings them to this version. Safe to repeat, and from several workers at the same time. */
async function updateSchedules(client: Client): Promise<void> {
  for (const wanted of SCHEDULES)
    if (!(await create(client, wanted)))
      await client.schedule
        .getHandle(wanted.scheduleId)
        .update((current) => ({ ...current, ...wanted }))
}

/** Creates the missing Schedules and leaves the others unchanged. */
async function createSchedules(client: Client): Promise<void> {
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
