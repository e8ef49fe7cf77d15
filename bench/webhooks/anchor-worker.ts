// The anchor of webhook deliveries: bare Temporal, with the worker and the client that starts its
// workflows in one process on one connection, like the product's worker. A message with a number
// starts that many workflows.
import { fileURLToPath } from 'node:url'
import { Client } from '@temporalio/client'
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker'
import type { anchor } from './anchor-workflow.ts'

/** As many concurrent starts as the relay. */
const CONCURRENCY = 16

const [address = '', metricsAddress = ''] = process.argv.slice(2)
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: {
    logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) },
    metrics: { prometheus: { bindAddress: metricsAddress } },
  },
})
const connection = await NativeConnection.connect({ address })
const client = new Client({ connection })
const worker = await Worker.create({
  connection,
  taskQueue: 'anchor',
  workflowsPath: fileURLToPath(new URL('./anchor-workflow.ts', import.meta.url)),
  activities: { nothing: async () => {} },
  // The numbers of the queue `webhooks`.
  maxConcurrentActivityTaskExecutions: 50,
  maxConcurrentLocalActivityExecutions: 200,
  maxConcurrentWorkflowTaskExecutions: 200,
})

let started = 0
async function startAll(count: number): Promise<void> {
  let left = count
  const startSome = async (): Promise<void> => {
    for (; left > 0; started += 1) {
      left -= 1
      await client.workflow.start<typeof anchor>('anchor', {
        taskQueue: 'anchor',
        workflowId: `anchor-${process.pid}-${started}-${left}`,
        // Like the relay: otherwise tasks time out on a busy machine and are repeated.
        requestEagerStart: true,
        workflowTaskTimeout: '30 seconds',
      })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, startSome))
}

process.on('message', (count: number) => {
  void startAll(count).then(() => process.send?.('started'))
})
process.once('disconnect', () => process.exit())
void worker.run()
process.send?.('ready')
