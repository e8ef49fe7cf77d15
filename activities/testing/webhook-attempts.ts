import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { startTestNetwork } from '../../egress/testing/test-servers.ts'
import type { TestNetwork } from '../../egress/testing/test-servers.ts'
import { createSendWebhook } from '../send-webhook.ts'
import type { SendWebhookInput, SendWebhookResult } from '../send-webhook.ts'
import { createReceiver, createWebhookWorld } from './webhook-world.ts'
import type { WebhookWorld } from './webhook-world.ts'

interface AttemptOptions extends Partial<SendWebhookInput> {
  deadlineMs?: number
  lookupDeadlineMs?: number
}

/** What a test file of attempts works with; the servers run while its tests do. */
export interface AttemptTests {
  world: WebhookWorld
  network: TestNetwork
  receiver: ReturnType<typeof createReceiver>
  received: ReturnType<typeof createReceiver>['received']
  /** Of a receiver that answers 200 unless a test tells it otherwise. */
  url: string
  port: number
  /** Makes attempt 1, or what `options` say, with a deadline of 5 seconds. */
  run: (deliveryId: number, options?: AttemptOptions) => Promise<SendWebhookResult>
  /** The same, and then once more: the second time it must be told, not made. */
  runTwice: (deliveryId: number, options?: AttemptOptions) => Promise<SendWebhookResult>
}

/** Sets the servers up for the tests of one file; the fields are there once its tests run. */
export function setUpAttempts(): AttemptTests {
  const receiver = createReceiver()
  const { received } = receiver
  const tests = { receiver, received, run, runTwice } as AttemptTests

  function run(
    deliveryId: number,
    { deadlineMs = 5000, lookupDeadlineMs = 5000, ...options }: AttemptOptions = {},
  ) {
    const { world, network } = tests
    const input: SendWebhookInput = { deliveryId, number: 1, trigger: 'schedule', ...options }
    const limits = {
      webhookDeadlineMs: deadlineMs,
      webhookLookupDeadlineMs: lookupDeadlineMs,
    }
    const send = createSendWebhook({ ...world, egress: network.egress(), ...limits })
    return new MockActivityEnvironment().run(send, input) as Promise<SendWebhookResult>
  }
  async function runTwice(deliveryId: number, options: AttemptOptions = {}) {
    const result = await run(deliveryId, options)
    const seen = received.length
    const again = await run(deliveryId, options)
    expect(again.outcome).toBe(result.outcome)
    expect(received).toHaveLength(seen)
    return result
  }
  beforeAll(async () => {
    const [world, network] = await Promise.all([createWebhookWorld(), startTestNetwork()])
    const { port } = await network.serveHttps(['hooks.test'], receiver.listener)
    Object.assign(tests, { world, network, port, url: `https://hooks.test:${port}/in?key=1` })
  })
  beforeEach(() => {
    received.length = 0
    receiver.answer = (response) => void response.end('ok')
    tests.network.dns.set('hooks.test', ['127.0.0.1'])
  })
  afterAll(() => Promise.all([tests.world.close(), tests.network.close()]))
  return tests
}
