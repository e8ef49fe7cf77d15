import { Writable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals'
import type { WorkflowExecutionDescription } from '@temporalio/client'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { pino } from 'pino'
import { createReceiver, createWebhookWorld } from '../../../activities/testing/webhook-world.ts'
import type { WebhookWorld } from '../../../activities/testing/webhook-world.ts'
import type { OutboxCommand } from '../../../db/entities/event.ts'
import type { WebhookDeps } from '../../../activities/webhook-activities.ts'
import { startTestNetwork } from '../../../egress/testing/test-servers.ts'
import type { TestNetwork } from '../../../egress/testing/test-servers.ts'
import { deliveryWorkflowId } from '../../../temporal/workflow-ids.ts'
import { appendCommands } from '../../append/append-command.ts'
import { startRelay } from '../relay.ts'
import type { Relay, RelayOptions } from '../relay.ts'
import { runWebhookWorker, startOwnTemporal } from './own-temporal.ts'
import type { OwnTemporal } from './own-temporal.ts'

/** What a test file of the relay works with; the servers and one worker run while its tests do. */
export interface RelayTests {
  world: WebhookWorld
  temporal: OwnTemporal
  network: TestNetwork
  receiver: ReturnType<typeof createReceiver>
  received: ReturnType<typeof createReceiver>['received']
  endpointId: number
  /** Starts a relay, which the end of the test stops. */
  startRelay: (options?: Partial<RelayOptions>) => Promise<void>
  stopRelays: () => Promise<void>
  startWorker: () => Promise<void>
  stopWorker: () => Promise<void>
  append: (command: OutboxCommand, subjectId: string, requestId?: string) => Promise<void>
  /** What the relays have logged. */
  logLines: string[]
  outbox: () => Promise<{ attempts: number }[]>
  /** True where the outbox is empty. */
  isDone: () => Promise<boolean>
  isDelivered: (deliveryId: number) => Promise<boolean>
  describeDelivery: (deliveryId: number) => Promise<WorkflowExecutionDescription>
}

/** Sets everything up for the tests of one file; the fields are there once its tests run. */
export function setUpRelay(options: Partial<WebhookDeps> = {}): RelayTests {
  const receiver = createReceiver()
  const relays: Relay[] = []
  const t = { receiver, received: receiver.received, logLines: [] as string[] } as RelayTests

  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR') })
    const [world, network, temporal] = await Promise.all([
      createWebhookWorld(),
      startTestNetwork(),
      startOwnTemporal(),
    ])
    const server = await network.serveHttps(['hooks.test'], receiver.listener)
    network.dns.set('hooks.test', ['127.0.0.1'])
    const endpoint = await world.addEndpoint(`https://hooks.test:${server.port}/secret-path`)
    Object.assign(t, { world, temporal, network, endpointId: endpoint.id }, helpersOf(t, relays))
    t.startWorker = async () => {
      t.stopWorker = await runWebhookWorker(temporal, world, network.egress(), options)
    }
    await t.startWorker()
  })
  beforeEach(() => {
    receiver.received.length = 0
    receiver.answer = (response) => void response.end()
  })
  afterEach(async () => {
    await t.stopRelays()
    await t.world.execute('delete from outbox')
  })
  afterAll(async () => {
    await t.stopWorker()
    await Promise.all([t.world.close(), t.network.close(), t.temporal.close()])
  })
  return t
}

function helpersOf(t: RelayTests, relays: Relay[]): Partial<RelayTests> {
  const outbox = () => t.world.execute<{ attempts: number }>('select attempts from outbox')
  return {
    outbox,
    isDone: async () => (await outbox()).length === 0,
    isDelivered: async (id) => (await t.world.delivery(id)).status === 'delivered',
    describeDelivery: (id) =>
      t.temporal.client.workflow.getHandle(deliveryWorkflowId(id)).describe(),
    append: (command, subjectId, requestId) =>
      t.world.db.em
        .fork()
        .transactional((tx) =>
          appendCommands(tx, [
            { command, subjectId, accountId: t.world.accountId, ...(requestId && { requestId }) },
          ]),
        ),
    stopRelays: async () => {
      await Promise.all(relays.splice(0).map((relay) => relay.stop()))
    },
    startRelay: async (options = {}) => {
      const { db, databaseUrl } = t.world
      const sink = new Writable({
        write: (line: Buffer, _encoding, done) => (t.logLines.push(line.toString()), done()),
      })
      const logger = pino(sink)
      const { client } = t.temporal
      relays.push(await startRelay({ db, databaseUrl, client, logger, ...options }))
    },
  }
}
