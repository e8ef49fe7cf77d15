import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker, bundleWorkflowCode } from '@temporalio/worker'
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker'
import type { WorkflowHandle } from '@temporalio/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { SendWebhookInput, SendWebhookResult } from '../activities/send-webhook.ts'
import { RETRY_DELAYS_MS } from '../domain/delivery-schedule.ts'
import { timeSkippingServerPath } from '../test/services/index.ts'
import type { deliverWebhook } from './deliver-webhook.ts'
import { lengthSeconds, stepsOf, summariesOf } from './testing/read-history.ts'

const TASK_QUEUE = 'webhooks'
const FAILED_ATTEMPTS = RETRY_DELAYS_MS.map((waitMs, at): SendWebhookResult => ({
  outcome: 'retry',
  nextNumber: at + 2,
  waitMs,
}))

/** The spec's schedule: attempts at 0, 60, 360, 2160 and 9360 seconds. */
const SCHEDULE = ['activity', 60, 'activity', 300, 'activity', 1800, 'activity', 7200, 'activity']

let environment: TestWorkflowEnvironment
let workflowBundle: WorkflowBundleWithSourceMap
let worker: Worker
let running: Promise<void>
/** What the activity is asked, and what it answers: the last answer is repeated. */
let asked: SendWebhookInput[] = []
let answers: SendWebhookResult[] = []
let breakdowns = 0
let attemptMs = 0

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('./index.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  })
  const path = await timeSkippingServerPath()
  environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  })
  worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: TASK_QUEUE,
    workflowBundle,
    activities: {
      sendWebhook: async (input: SendWebhookInput): Promise<SendWebhookResult> => {
        asked.push(input)
        await sleep(attemptMs)
        if (breakdowns > 0) {
          breakdowns -= 1
          throw new Error('the database is away')
        }
        return answers.shift() ?? { outcome: 'failed' }
      },
    },
  })
  running = worker.run()
})

beforeEach(() => {
  asked = []
  answers = []
  breakdowns = 0
  attemptMs = 0
})

afterAll(async () => {
  worker.shutdown()
  await running
  await environment.teardown()
})

let nextId = 1
type Handle = WorkflowHandle<typeof deliverWebhook>

async function start(): Promise<Handle> {
  const deliveryId = nextId++
  return environment.client.workflow.start<typeof deliverWebhook>('deliverWebhook', {
    workflowId: `webhook-delivery-${deliveryId}`,
    taskQueue: TASK_QUEUE,
    args: [{ deliveryId, accountId: 7 }],
    // Without it the test server's clock jumps ten years when a result is waited for.
    workflowExecutionTimeout: '1 day',
  })
}

describe('the workflow of a delivery', () => {
  it('attempts at 0, 60, 360, 2160 and 9360 seconds, and fails after the fifth', async () => {
    answers = [...FAILED_ATTEMPTS, { outcome: 'failed' }]
    const handle = await start()
    expect(await handle.result()).toBe('failed')
    expect(asked.map(({ number, trigger }) => [number, trigger])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [number, 'schedule']),
    )
    const history = await handle.fetchHistory()
    expect(stepsOf(history)).toEqual(SCHEDULE)
    expect(lengthSeconds(history)).toBeGreaterThanOrEqual(60 + 300 + 1800 + 7200)
  })

  it.each([1, 2, 3, 4, 5])('ends as delivered at attempt %i', async (number) => {
    answers = [...FAILED_ATTEMPTS.slice(0, number - 1), { outcome: 'delivered' }]
    const handle = await start()
    expect(await handle.result()).toBe('delivered')
    expect(asked).toHaveLength(number)
    expect(stepsOf(await handle.fetchHistory())).toEqual(SCHEDULE.slice(0, 2 * number - 1))
  })

  it('costs a start and one activity where the first attempt is delivered', async () => {
    answers = [{ outcome: 'delivered' }]
    const handle = await start()
    await handle.result()
    const history = await handle.fetchHistory()
    expect(summariesOf(history)).toEqual(['Attempt 1'])
    expect(history.events?.length).toBeLessThanOrEqual(6)
  })

  it('says on each attempt and each wait what it is', async () => {
    answers = [...FAILED_ATTEMPTS, { outcome: 'failed' }]
    const handle = await start()
    await handle.result()
    expect(summariesOf(await handle.fetchHistory())).toEqual([
      'Attempt 1',
      'Waiting 1 min before attempt 2',
      'Attempt 2',
      'Waiting 5 min before attempt 3',
      'Attempt 3',
      'Waiting 30 min before attempt 4',
      'Attempt 4',
      'Waiting 2 h before attempt 5',
      'Attempt 5',
    ])
  })

  it.each(['gone', 'failed'] as const)(
    'ends quietly as %s where the row says so at the next attempt',
    async (outcome) => {
      answers = [...FAILED_ATTEMPTS.slice(0, 2), { outcome }]
      const handle = await start()
      expect(await handle.result()).toBe(outcome)
      expect(asked.map(({ number }) => number)).toEqual([1, 2, 3])
    },
  )

  it('makes the same attempt again, and no other, while the machinery is broken', async () => {
    breakdowns = 3
    answers = [{ outcome: 'delivered' }]
    const handle = await start()
    expect(await handle.result()).toBe('delivered')
    expect(asked.map(({ number }) => number)).toEqual([1, 1, 1, 1])
  })

  it('goes on where the row stands when it was started anew, after the rest of the wait', async () => {
    answers = [{ outcome: 'retry', nextNumber: 4, waitMs: 100_000 }, { outcome: 'delivered' }]
    const handle = await start()
    expect(await handle.result()).toBe('delivered')
    expect(asked.map(({ number }) => number)).toEqual([1, 4])
    expect(stepsOf(await handle.fetchHistory())).toEqual(['activity', 100, 'activity'])
  })

  it('does not wait where the attempt is due already', async () => {
    answers = [{ outcome: 'retry', nextNumber: 2, waitMs: 0 }, { outcome: 'delivered' }]
    const handle = await start()
    await handle.result()
    expect(summariesOf(await handle.fetchHistory())).toEqual(['Attempt 1', 'Attempt 2'])
  })

  it('attempts at once at the signal retryNow, and keeps the schedule after it', async () => {
    answers = [...FAILED_ATTEMPTS.slice(0, 3), { outcome: 'delivered' }]
    const handle = await start()
    await environment.sleep('65 seconds')
    await environment.sleep('30 seconds')
    await handle.signal('retryNow')
    expect(await handle.result()).toBe('delivered')
    expect(asked.map(({ number, trigger }) => [number, trigger])).toEqual([
      [1, 'schedule'],
      [2, 'schedule'],
      [3, 'manual'],
      [4, 'schedule'],
    ])
    const history = await handle.fetchHistory()
    expect(stepsOf(history)).toEqual(SCHEDULE.slice(0, 7))
    // 60 s, then the 30 s or so that the signal left of the five minutes, then 30 minutes.
    expect(lengthSeconds(history)).toBeLessThan(60 + 120 + 1800)
  })

  it('counts retries that were asked for at once as one', async () => {
    answers = [...FAILED_ATTEMPTS.slice(0, 2), { outcome: 'delivered' }]
    const handle = await start()
    await environment.sleep('10 seconds')
    attemptMs = 1000
    await handle.signal('retryNow')
    await handle.signal('retryNow')
    await handle.result()
    expect(asked.map(({ trigger }) => trigger)).toEqual(['schedule', 'manual', 'schedule'])
  })

  it('carries ids and nothing else', async () => {
    answers = [{ outcome: 'delivered' }]
    const handle = await start()
    await handle.result()
    expect(asked).toEqual([{ deliveryId: nextId - 1, number: 1, trigger: 'schedule' }])
  })
})
