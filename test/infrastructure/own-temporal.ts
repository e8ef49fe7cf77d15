import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@temporalio/client'
import { NativeConnection, Worker } from '@temporalio/worker'
import { pino } from 'pino'
import {
  webhookWorkerOptions,
  type WebhookDeps,
} from '../../activities/webhooks/webhook-activities.ts'
import type { Egress } from '../../egress/egress.ts'
import type { RequestTargets } from '../../outbox/execute-request.ts'
import { ensureTemporalServer } from '../../scripts/bootstrap/tools.mjs'
import { startGuard } from '../../scripts/embedded/guard.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { openRotatingLog } from '../../scripts/embedded/rotating-log.ts'
import { startTemporal, type TemporalServer } from '../../scripts/embedded/temporal.ts'
import { DEFAULT_NAMESPACES } from '../../scripts/temporal-namespace.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { inNamespace } from '../../temporal/connect.ts'
import { deliveryPlaces } from '../../temporal/delivery-places.ts'
import { namespaceOf, TASK_QUEUES } from '../../temporal/names.ts'
import type { WebhookFixture } from '../fixtures/webhooks.ts'
import { bundledWorkflows } from './services.ts'

/**
 * A Temporal server for one test file. It can be stopped, and uses the product's task queues and
 * workflow ids, for which two files on the shared server would compete.
 */
export interface OwnTemporal {
  /** Of the namespace of all workflows but those of deliveries. */
  client: Client
  /** Of the namespace of deliveries. */
  deliveries: Client
  address: string
  /** Starts it again on the same port with the same data, or without them if `isEmpty`. */
  start(options?: { isEmpty?: boolean }): Promise<void>
  stop(): Promise<void>
  /** Stops it permanently and removes its files. */
  close(): Promise<void>
}

/** `settings` are more of Temporal's dynamic configuration, each as `KEY=JSON`. */
export async function startOwnTemporal(settings: readonly string[] = []): Promise<OwnTemporal> {
  const dataDir = mkdtempSync(join(tmpdir(), 'reelgate-relay-'))
  const [program, port, guard] = [await ensureTemporalServer(), await freePort(), startGuard()]
  const log = openRotatingLog(join(dataDir, 'temporal.log'))
  const start = () => startTemporal({ program, dataDir, port, uiPort: null, settings, log, guard })
  let server: TemporalServer | null = await start()
  const stop = async () => {
    await server?.stop()
    server = null
  }
  const address = `127.0.0.1:${port}`
  const connection = await NativeConnection.connect({ address })
  const client = new Client({ connection, namespace: DEFAULT_NAMESPACES.main })
  return {
    client,
    deliveries: inNamespace(client, DEFAULT_NAMESPACES.deliveries),
    address,
    async start({ isEmpty = false } = {}) {
      if (isEmpty) rmSync(join(dataDir, 'temporal'), { recursive: true })
      server = await start()
    },
    stop,
    async close() {
      await connection.close()
      await stop()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** What requests are executed with, as the relay does. */
export const targetsOf = (client: Client): RequestTargets => ({
  client,
  deliveries: deliveryPlaces(client, DEFAULT_NAMESPACES.deliveries, true),
})

/** Runs workers of the queues `webhooks` and `deliveries` like the product's; resolves to a function that stops them. */
export async function runWebhookWorker(
  { client }: OwnTemporal,
  { db, masterKeys }: Pick<WebhookFixture, 'db' | 'masterKeys'>,
  egress: Egress,
  options: Partial<WebhookDeps> = {},
): Promise<() => Promise<void>> {
  const workflowBundle = await bundledWorkflows()
  const deliveries = options.deliveriesNamespace ?? DEFAULT_NAMESPACES.deliveries
  const common = {
    connection: client.connection as NativeConnection,
    workflowBundle,
    ...webhookWorkerOptions({
      db,
      masterKeys,
      storage: createStorage({ driver: 'folder', dir: join(tmpdir(), 'reelgate-no-objects') }),
      egress,
      client,
      deliveriesNamespace: deliveries,
      hasDrmProvider: false,
      embedBase: 'https://play.example',
      attemptsInFlight: 50,
      logger: pino({ level: 'silent' }),
      ...options,
    }),
  }
  const workers = await Promise.all(
    (['webhooks', 'deliveries'] as const).map((queue) => {
      const namespace = namespaceOf(queue, { main: DEFAULT_NAMESPACES.main, deliveries })
      return Worker.create({ ...common, namespace, taskQueue: TASK_QUEUES[queue] })
    }),
  )
  const running = workers.map((worker) => worker.run())
  return async () => {
    for (const worker of workers) worker.shutdown()
    await Promise.all(running)
  }
}
