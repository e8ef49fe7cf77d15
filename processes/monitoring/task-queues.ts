import type { Client } from '@temporalio/client'
import type { Config } from '../../config/config.ts'
import { taskQueueAge, taskQueueBacklog, taskQueuePollers } from '../../metrics/installation.ts'
import type { TaskQueueState } from '../../temporal/read-task-queues.ts'
import type { Collection, Sample } from './collector.ts'

const DEADLINE_MS = 3_000

/**
 * The task queues of Temporal. The client is loaded with the first question of Prometheus, so that a process starts,
 * and works, without it.
 */
export function taskQueueCollection(
  config: Pick<Config, 'TEMPORAL_ADDRESS' | 'namespaces'>,
  beforeStop: (finish: () => Promise<void>) => void,
): Collection {
  let opened: Promise<Client> | null = null
  const open = async (): Promise<Client> => {
    const { openClient } = await import('../../temporal/connect.ts')
    return openClient({ address: config.TEMPORAL_ADDRESS, namespace: config.namespaces.main })
  }
  beforeStop(async () => (await opened)?.connection.close())
  return {
    name: 'task-queues',
    gauges: [taskQueueAge, taskQueueBacklog, taskQueuePollers],
    read: async () => {
      const client = await (opened ??= open())
      const { readTaskQueues } = await import('../../temporal/read-task-queues.ts')
      const queues = await client.withDeadline(Date.now() + DEADLINE_MS, () =>
        readTaskQueues(client, config.namespaces),
      )
      return queues.flatMap(samplesOf)
    },
  }
}

function samplesOf(state: TaskQueueState): Sample[] {
  const { taskQueue, taskType, backlogTasks, backlogAgeSeconds, pollers } = state
  const labels = { task_queue: taskQueue, task_type: taskType }
  return [
    { gauge: taskQueueBacklog, labels, value: backlogTasks },
    { gauge: taskQueueAge, labels, value: backlogAgeSeconds },
    ...(pollers === null
      ? []
      : [{ gauge: taskQueuePollers, labels: { task_queue: taskQueue }, value: pollers }]),
  ]
}
