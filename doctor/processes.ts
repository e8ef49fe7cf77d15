import { z } from 'zod'
import { findLiveWorkers, type LiveWorker } from '../db/upkeep/worker-beats.ts'
import { connectionFailureOf } from '../domain/connection-failure.ts'
import { openClient, readPollers } from '../temporal/connect.ts'
import { namespaceOf, TASK_QUEUES, WORKFLOW_QUEUES, type TaskQueue } from '../temporal/names.ts'
import { Advice } from './advice.ts'
import { RESPONSE_TIMEOUT_MS, type Finding } from './check.ts'
import type { Installation } from './installation.ts'

/**
 * Checks that a server and what it needs respond. `address` is its base URL. A proxy that hides `/readyz`
 * (deploy/Caddyfile) still shows whether the server responds.
 */
export async function checkServer(address: string, howToStart: string): Promise<string> {
  const url = `${address}/readyz`
  const ask = (path: string) =>
    fetch(address + path, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) }).catch(
      (error: unknown) => {
        const { what, remedy, code } = connectionFailureOf(error) ?? NO_RESPONSE
        throw new Advice(
          remedy === null
            ? `no response at ${address + path}: is it running? (${howToStart})`
            : `${address} ${what}: ${remedy} (${code})`,
        )
      },
    )
  const response = await ask('/readyz')
  const isHidden = response.status === 404
  const reply = isHidden ? await ask('/healthz') : response
  const body: unknown = await reply.json().catch(() => null)
  if (reply.ok && readySchema.safeParse(body).success)
    return `${isHidden ? 'responds' : 'ready'} at ${address}`
  if (response.status === 503)
    throw new Advice(`it runs at ${address}, but is not ready: ${missingOf(body)}`)
  throw new Advice(`${url} responded with ${response.status}: another program is at that address`)
}

/** An error that says nothing. */
const NO_RESPONSE = { what: '', remedy: null, code: '' }

const readySchema = z.object({ status: z.literal('ok') })

/** What a process lacks, by its own report. */
const missingSchema = z.object({
  parts: z.record(z.string(), z.object({ status: z.string(), reason: z.string().default('') })),
})

function missingOf(body: unknown): string {
  const { parts = {} } = missingSchema.safeParse(body).data ?? {}
  return Object.entries(parts)
    .filter(([, { status }]) => status !== 'ok')
    .map(([part, { reason }]) => `${part}: ${reason}`)
    .join(', ')
}

/** Checks that a worker serves the queue and polls Temporal, about which `temporal` is the finding. */
export async function checkQueue(
  installation: Installation,
  queue: TaskQueue,
  temporal: Promise<Finding>,
): Promise<string> {
  const serving = (await findLiveWorkers(await installation.entityManager())).filter(({ queues }) =>
    queues.includes(queue),
  )
  const workers = serving.map(({ worker }) => worker)
  if (workers.length === 0 && !(await temporal).ok)
    throw new Advice('no worker serves it yet: workers wait for Temporal, which does not respond')
  if (workers.length === 0)
    throw new Advice('no worker serves it: start one (npm start, or worker.ts)')
  if (queue === 'deliveries') refuseOtherNamespaces(installation, serving)
  if (WORKFLOW_QUEUES.includes(queue) && (await readPollersOf(installation, queue)).length === 0)
    throw new Advice(
      `${workers.join(', ')} runs, but does not poll Temporal: check that its ` +
        `TEMPORAL_ADDRESS and ${whereTemporalIs(installation, queue)}`,
    )
  return `worker ${workers.join(', ')}`
}

/** While the workers differ, deliveries begin in the namespace of all other workflows. */
function refuseOtherNamespaces({ config }: Installation, workers: LiveWorker[]): void {
  const { deliveries } = config.namespaces
  const other = workers.find(({ deliveriesNamespace }) => deliveriesNamespace !== deliveries)
  if (other)
    throw new Advice(
      `${other.worker} takes deliveries from the namespace ${other.deliveriesNamespace}, not ${deliveries}: ` +
        `set TEMPORAL_DELIVERIES_NAMESPACE to the same name everywhere`,
    )
}

function whereTemporalIs(installation: Installation, queue: TaskQueue): string {
  const namespace = namespaceOf(queue, installation.config.namespaces)
  const variable = queue === 'deliveries' ? 'TEMPORAL_DELIVERIES_NAMESPACE' : 'TEMPORAL_NAMESPACE'
  return `${variable} are ${installation.temporalAddress()} and ${namespace}`
}

async function readPollersOf(installation: Installation, queue: TaskQueue): Promise<string[]> {
  const address = installation.temporalAddress()
  const client = openClient({
    address,
    namespace: namespaceOf(queue, installation.config.namespaces),
  })
  try {
    return await client.withDeadline(Date.now() + RESPONSE_TIMEOUT_MS, () =>
      readPollers(client, TASK_QUEUES[queue]),
    )
  } catch {
    throw new Advice(`no response from Temporal at ${address}`)
  } finally {
    await client.connection.close()
  }
}
