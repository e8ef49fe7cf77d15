import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import { freshPollers } from './connect.ts'
import {
  namespaceOf,
  TASK_QUEUES,
  WORKFLOW_QUEUES,
  type Namespaces,
  type TaskQueue,
} from './names.ts'

// `@temporalio/proto` is a CommonJS package: Node finds no named exports in it.
const { TASK_QUEUE_TYPE_ACTIVITY, TASK_QUEUE_TYPE_WORKFLOW } =
  proto.temporal.api.enums.v1.TaskQueueType

/** What waits in a task queue, as Temporal estimates it. */
export interface TaskQueueState {
  taskQueue: TaskQueue
  taskType: 'workflow' | 'activity'
  backlogTasks: number
  /** Of the oldest task; 0 if none waits. */
  backlogAgeSeconds: number
  /** Workers that have polled lately; null for activities, because busy workers do not poll for them. */
  pollers: number | null
}

/** Reads every task queue. Throws if Temporal does not respond. */
export function readTaskQueues(client: Client, namespaces: Namespaces): Promise<TaskQueueState[]> {
  const read = (taskQueue: TaskQueue, taskType: TaskQueueState['taskType']) =>
    readTaskQueue(client, namespaceOf(taskQueue, namespaces), { taskQueue, taskType })
  return Promise.all([
    ...Object.values(TASK_QUEUES).map((queue) => read(queue, 'activity')),
    ...WORKFLOW_QUEUES.map((queue) => read(queue, 'workflow')),
  ])
}

async function readTaskQueue(
  client: Client,
  namespace: string,
  { taskQueue, taskType }: Pick<TaskQueueState, 'taskQueue' | 'taskType'>,
): Promise<TaskQueueState> {
  const isWorkflow = taskType === 'workflow'
  const { stats, pollers } = await client.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: isWorkflow ? TASK_QUEUE_TYPE_WORKFLOW : TASK_QUEUE_TYPE_ACTIVITY,
    reportStats: true,
  })
  const age = stats?.approximateBacklogAge
  return {
    taskQueue,
    taskType,
    backlogTasks: Number(stats?.approximateBacklogCount ?? 0),
    backlogAgeSeconds: Number(age?.seconds ?? 0) + Number(age?.nanos ?? 0) / 1e9,
    pollers: isWorkflow ? freshPollers(pollers).length : null,
  }
}
