import { Client, Connection } from '@temporalio/client'
import proto from '@temporalio/proto'

// `@temporalio/proto` is a CommonJS package: Node finds no named exports in it.
const { TASK_QUEUE_TYPE_WORKFLOW } = proto.temporal.api.enums.v1.TaskQueueType

export interface TemporalOptions {
  /** host:port of the frontend. */
  address: string
  namespace: string
}

/**
 * Opens a client that connects with its first call: if the server is down, that call fails, within its deadline. Each call
 * is made once: a repetition by the SDK that is due after the connection was closed would throw where nothing catches it.
 */
export function openClient({ address, namespace }: TemporalOptions): Client {
  return new Client({ connection: Connection.lazy({ address, interceptors: [] }), namespace })
}

/** Returns a client of another namespace on the same connection; the given client if that is its own. */
export function inNamespace(client: Client, namespace: string): Client {
  const { connection, options } = client
  if (options.namespace === namespace) return client
  return new Client({ connection, namespace, interceptors: options.interceptors })
}

/** A poll lasts a minute, and Temporal records its start. */
const FRESH_MS = 75_000

/** Returns the identities of the workers that poll a task queue for workflow tasks. Throws if Temporal does not respond. */
export async function readPollers(client: Client, taskQueue: string): Promise<string[]> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: TASK_QUEUE_TYPE_WORKFLOW,
  })
  return freshPollers(pollers)
}

type Poller = proto.temporal.api.taskqueue.v1.IPollerInfo

/** Returns the identities of those that have polled lately. */
export const freshPollers = (pollers: Poller[] | null | undefined): string[] =>
  (pollers ?? [])
    .filter(({ lastAccessTime }) => Date.now() - toMs(lastAccessTime?.seconds) < FRESH_MS)
    .map(({ identity }) => identity ?? '')

const toMs = (seconds: unknown): number => Number(seconds ?? 0) * 1000
