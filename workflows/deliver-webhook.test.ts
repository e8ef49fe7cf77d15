import { setTimeout as sleep } from 'node:timers/promises'
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  RETRY_DELAYS_MS,
  type SendWebhookInput,
  type SendWebhookResult,
} from '../domain/webhooks/webhook-delivery.ts'
import { lengthSeconds, stepsOf, summariesOf } from '../test/fixtures/workflow-history.ts'
import { setUpTimeSkippingFixture } from '../test/infrastructure/time-skipping.ts'
import { until } from '../test/infrastructure/wait-for.ts'
import type { deliverWebhook } from './deliver-webhook.ts'

const TASK_QUEUE = 'webhooks'
const FAILED_ATTEMPTS = RETRY_DELAYS_MS.map((waitMs, at): SendWebhookResult => ({
  outcome: 'retry',
  nextNumber: at + 2,
  waitMs,
}))

/** The schedule of the contract, "Retries": attempts at 0, 60, 360, 2160 and 9360 seconds. */
const SCHEDULE = ['activity', 60, 'activity', 300, 'activity', 1800, 'activity', 7200, 'activity']

/** The inputs and results of the activity; the last result is repeated. */
let asked: SendWebhookInput[] = []
let responses: SendWebhookResult[] = []
/** Failures of the activity before its first result. */
let failures: Error[] = []
let attemptMs = 0
/** No attempt ends before it resolves. */
let released = Promise.resolve()
/** Deliveries ended because their workflow was cancelled. */
let cancelled: number[] = []
let cancelFailures = 0

const t = setUpTimeSkippingFixture(TASK_QUEUE, {
  sendWebhook: async (input: SendWebhookInput): Promise<SendWebhookResult> => {
    asked.push(input)
    await sleep(attemptMs)
    await released
    const failure = failures.shift()
    if (failure) throw failure
    return responses.shift() ?? { outcome: 'failed' }
  },
  cancelDelivery: async ({ deliveryId }: { deliveryId: number }): Promise<void> => {
    if (cancelFailures-- > 0) throw new Error('the database is away')
    cancelled.push(deliveryId)
  },
})

beforeEach(() => {
  asked = []
  responses = []
  failures = []
  attemptMs = 0
  released = Promise.resolve()
  cancelled = []
  cancelFailures = 0
})

const away = (count: number): Error[] =>
  Array.from({ length: count }, () => new Error('the database is away'))

/** The failure of the activity while too many attempts are in flight. */
const busy = (nextRetryDelay: number): Error =>
  ApplicationFailure.create({ type: 'EndpointBusy', message: 'busy', nextRetryDelay })

let nextId = 1
type Handle = WorkflowHandle<typeof deliverWebhook>

async function start(): Promise<Handle> {
  const deliveryId = nextId++
  return t.environment.client.workflow.start<typeof deliverWebhook>('deliverWebhook', {
    workflowId: `webhook-delivery-${deliveryId}`,
    taskQueue: TASK_QUEUE,
    args: [{ deliveryId, accountId: 7 }],
    // Without it the test server's clock jumps ten years when a test awaits the result.
    workflowExecutionTimeout: '1 day',
  })
}

const outcomeOf = async (handle: Handle) => (await handle.result()).outcome

/** The details in the Web UI. */
const detailsOf = async (handle: Handle): Promise<string | undefined> =>
  (await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')).currentDetails

describe('the workflow of a delivery', () => {
  it('attempts at 0, 60, 360, 2160 and 9360 seconds, and fails after the fifth', async () => {
    responses = [...FAILED_ATTEMPTS, { outcome: 'failed' }]
    const handle = await start()
    expect(await outcomeOf(handle)).toBe('failed')
    expect(asked.map(({ number, trigger }) => [number, trigger])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [number, 'schedule']),
    )
    const history = await handle.fetchHistory()
    expect(stepsOf(history)).toEqual(SCHEDULE)
    expect(lengthSeconds(history)).toBeGreaterThanOrEqual(60 + 300 + 1800 + 7200)
  })

  it.each([1, 2, 3, 4, 5])('ends as delivered at attempt %i', async (number) => {
    responses = [...FAILED_ATTEMPTS.slice(0, number - 1), { outcome: 'delivered' }]
    const handle = await start()
    expect(await outcomeOf(handle)).toBe('delivered')
    expect(asked).toHaveLength(number)
    expect(stepsOf(await handle.fetchHistory())).toEqual(SCHEDULE.slice(0, 2 * number - 1))
  })

  it('costs a start and one activity if the first attempt succeeds', async () => {
    responses = [{ outcome: 'delivered' }]
    const handle = await start()
    await handle.result()
    const history = await handle.fetchHistory()
    expect(summariesOf(history)).toEqual(['Attempt 1'])
    expect(history.events?.length).toBeLessThanOrEqual(6)
  })

  it('labels each attempt and each wait', async () => {
    responses = [...FAILED_ATTEMPTS, { outcome: 'failed' }]
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

  it('shows the last response while it waits, and ends with it', async () => {
    const response = { attempt: 1, responseStatus: 503, errorCode: 'http_error', durationMs: 120 }
    const last = { attempt: 2, responseStatus: null, errorCode: 'timeout', durationMs: 15_004 }
    responses = [
      { outcome: 'retry', nextNumber: 2, waitMs: 60_000, answer: response },
      { outcome: 'failed', answer: last },
    ] as SendWebhookResult[]
    const handle = await start()
    await t.environment.sleep('5 seconds')
    expect(await detailsOf(handle)).toBe(
      'Attempt 1: HTTP 503 after 120 ms\n\nWaiting 1 min before attempt 2',
    )
    expect(await handle.result()).toEqual({ outcome: 'failed', lastAnswer: last })
    expect(await detailsOf(handle)).toBe('Attempt 2: timeout after 15004 ms\n\nEnded: failed')
  })

  it.each(['gone', 'failed'] as const)(
    'ends without a failure as %s if the row says so at the next attempt',
    async (outcome) => {
      responses = [...FAILED_ATTEMPTS.slice(0, 2), { outcome }]
      const handle = await start()
      expect(await outcomeOf(handle)).toBe(outcome)
      expect(asked.map(({ number }) => number)).toEqual([1, 2, 3])
    },
  )

  it('repeats the same attempt during internal errors', async () => {
    failures = away(3)
    responses = [{ outcome: 'delivered' }]
    const handle = await start()
    expect(await outcomeOf(handle)).toBe('delivered')
    expect(asked.map(({ number }) => number)).toEqual([1, 1, 1, 1])
  })

  it('continues in a second run at the attempt of the row, after the remaining wait', async () => {
    responses = [{ outcome: 'retry', nextNumber: 4, waitMs: 100_000 }, { outcome: 'delivered' }]
    const handle = await start()
    expect(await outcomeOf(handle)).toBe('delivered')
    expect(asked.map(({ number }) => number)).toEqual([1, 4])
    expect(stepsOf(await handle.fetchHistory())).toEqual(['activity', 100, 'activity'])
  })

  it('does not wait if the attempt is due already', async () => {
    responses = [{ outcome: 'retry', nextNumber: 2, waitMs: 0 }, { outcome: 'delivered' }]
    const handle = await start()
    await handle.result()
    expect(summariesOf(await handle.fetchHistory())).toEqual(['Attempt 1', 'Attempt 2'])
  })

  it('attempts immediately at the signal retryNow, and keeps the schedule after it', async () => {
    responses = [...FAILED_ATTEMPTS.slice(0, 3), { outcome: 'delivered' }]
    const handle = await start()
    await t.environment.sleep('65 seconds')
    await t.environment.sleep('30 seconds')
    await handle.signal('retryNow')
    expect(await outcomeOf(handle)).toBe('delivered')
    expect(asked.map(({ number, trigger }) => [number, trigger])).toEqual([
      [1, 'schedule'],
      [2, 'schedule'],
      [3, 'manual'],
      [4, 'schedule'],
    ])
    const history = await handle.fetchHistory()
    expect(stepsOf(history)).toEqual(SCHEDULE.slice(0, 7))
    // 60 s, then about 30 s of the five minutes until the signal, then 30 minutes.
    expect(lengthSeconds(history)).toBeLessThan(60 + 120 + 1800)
  })

  it('counts simultaneous retry requests as one', async () => {
    responses = [...FAILED_ATTEMPTS.slice(0, 2), { outcome: 'delivered' }]
    const handle = await start()
    await t.environment.sleep('10 seconds')
    attemptMs = 1000
    await handle.signal('retryNow')
    await handle.signal('retryNow')
    await handle.result()
    expect(asked.map(({ trigger }) => trigger)).toEqual(['schedule', 'manual', 'schedule'])
  })

  it.each([
    { request: 'made after the record of', recordedCount: 2, count: 2 },
    { request: 'made before the record of', recordedCount: 1, count: 1 },
    { request: 'without a count during', recordedCount: undefined, count: 1 },
  ])(
    'makes $count manual attempts with a retry request $request the first one',
    async ({ recordedCount, count }) => {
      responses = [...FAILED_ATTEMPTS.slice(0, count + 1), { outcome: 'delivered' }]
      const handle = await start()
      await t.environment.sleep('10 seconds')
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      await handle.signal('retryNow', 1)
      await until(() => asked.length === 2)
      await handle.signal('retryNow', ...(recordedCount === undefined ? [] : [recordedCount]))
      resolve()
      expect(await outcomeOf(handle)).toBe('delivered')
      expect(asked.map(({ number, trigger }) => [number, trigger])).toEqual([
        [1, 'schedule'],
        ...[2, 3].slice(0, count).map((number) => [number, 'manual']),
        [count + 2, 'schedule'],
      ])
    },
  )

  it('has only ids as input', async () => {
    responses = [{ outcome: 'delivered' }]
    const handle = await start()
    await handle.result()
    expect(asked).toEqual([{ deliveryId: nextId - 1, number: 1, trigger: 'schedule' }])
  })

  it('waits outside its history while too many attempts to its endpoint are in flight', async () => {
    failures = [busy(1000), ...Array.from({ length: 20 }, () => busy(60_000))]
    responses = [{ outcome: 'delivered' }]
    const handle = await start()
    expect(await outcomeOf(handle)).toBe('delivered')
    expect(new Set(asked.map(({ number }) => number))).toEqual(new Set([1]))
    const history = await handle.fetchHistory()
    // The first attempt, which found no slot, and the one activity that waited.
    expect(stepsOf(history)).toEqual(['activity', 'activity'])
    expect(history.events?.length).toBeLessThan(15)
    expect(lengthSeconds(history)).toBeGreaterThanOrEqual(20 * 60)
  })

  it('ends its delivery when it is cancelled during a wait', async () => {
    responses = FAILED_ATTEMPTS.slice()
    cancelFailures = 2
    const handle = await start()
    await t.environment.sleep('70 seconds')
    await handle.cancel()
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError)
    expect((await handle.describe()).status.name).toBe('CANCELLED')
    expect(cancelled).toEqual([nextId - 1])
    expect(asked.map(({ number }) => number)).toEqual([1, 2])
  })

  it('ends its delivery when it is cancelled while an attempt waits for a slot', async () => {
    failures = Array.from({ length: 100 }, () => busy(60_000))
    const handle = await start()
    await t.environment.sleep('5 minutes')
    await handle.cancel()
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError)
    expect(cancelled).toEqual([nextId - 1])
  })

  it('does not end its delivery unless it is cancelled', async () => {
    responses = [{ outcome: 'failed' }]
    await (await start()).result()
    expect(cancelled).toEqual([])
  })
})
