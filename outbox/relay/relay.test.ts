import { DefaultLogger, Runtime } from '@temporalio/worker'
import { WorkflowNotFoundError } from '@temporalio/client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { createReceiver, createWebhookWorld } from '../../activities/testing/webhook-world.ts'
import type { WebhookWorld } from '../../activities/testing/webhook-world.ts'
import type { OutboxCommand } from '../../db/entities/event.ts'
import { startTestNetwork } from '../../egress/testing/test-servers.ts'
import type { TestNetwork } from '../../egress/testing/test-servers.ts'
import { ACCOUNT_ID, VIDEO_ID } from '../../temporal/search-attributes.ts'
import {
  SWEEP_SCHEDULE_ID,
  deliveryWorkflowId,
  videoWorkflowId,
} from '../../temporal/workflow-ids.ts'
import { appendCommands } from '../append/append-command.ts'
import { claimDue } from './claim-outbox.ts'
import { startRelay } from './relay.ts'
import type { Relay } from './relay.ts'
import { runWebhookWorker, startOwnTemporal, until } from './testing/own-temporal.ts'
import type { OwnTemporal } from './testing/own-temporal.ts'

let world: WebhookWorld
let network: TestNetwork
let temporal: OwnTemporal
let stopWorker: () => Promise<void>
let endpointId: number
let relays: Relay[] = []
const receiver = createReceiver()
const { received } = receiver

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  ;[world, network, temporal] = await Promise.all([
    createWebhookWorld(),
    startTestNetwork(),
    startOwnTemporal(),
  ])
  const server = await network.serveHttps(['hooks.test'], receiver.listener)
  network.dns.set('hooks.test', ['127.0.0.1'])
  const url = `https://hooks.test:${server.port}/secret-path`
  endpointId = (await world.addEndpoint(url)).id
  stopWorker = await runWebhookWorker(temporal, world, network.egress())
})

beforeEach(() => {
  received.length = 0
  receiver.answer = (response) => void response.end()
})

afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()))
  relays = []
  await world.execute('delete from outbox')
})

afterAll(async () => {
  await stopWorker()
  await Promise.all([world.close(), network.close(), temporal.close()])
})

async function relay(): Promise<void> {
  const { db, databaseUrl } = world
  const { client } = temporal
  relays.push(await startRelay({ db, databaseUrl, client, logger: pino({ level: 'silent' }) }))
}

const append = (command: OutboxCommand, subjectId: string) =>
  world.db.em
    .fork()
    .transactional((tx) => appendCommands(tx, [{ command, subjectId, accountId: world.accountId }]))
const outbox = () => world.execute<{ attempts: number }>('select attempts from outbox')
const isDone = async () => (await outbox()).length === 0
const isDelivered = async (id: number) => (await world.delivery(id)).status === 'delivered'
const newVideoId = () => crypto.randomUUID().replaceAll('-', '').slice(0, 20)
const describeDelivery = (id: number) =>
  temporal.client.workflow.getHandle(deliveryWorkflowId(id)).describe()

describe('the relay', () => {
  it('starts the workflow of a committed delivery, and its row is gone', async () => {
    await relay()
    const [deliveryId = 0] = await world.announce()
    await until(() => isDelivered(deliveryId))
    await until(isDone)
    const { taskQueue, typedSearchAttributes, raw } = await describeDelivery(deliveryId)
    expect(taskQueue).toBe('webhooks')
    expect(typedSearchAttributes.get(ACCOUNT_ID)).toBe(world.accountId)
    const summary = JSON.stringify(raw.executionConfig?.userMetadata?.summary?.data?.toString())
    expect(summary).toContain('video.ready to hooks.test:')
    expect(summary).not.toContain('secret-path')
  })

  it('brings a webhook to its receiver within 1.5 seconds of the commit', async () => {
    await relay()
    const latencies = []
    for (let n = 0; n < 20; n += 1) {
      received.length = 0
      const committedAtMs = Date.now()
      await world.announceTo(endpointId)
      await until(() => received.length === 1)
      latencies.push((received[0]?.atMs ?? 0) - committedAtMs)
    }
    expect(latencies.toSorted((a, b) => a - b)[10]).toBeLessThan(1500)
  })

  it('starts the workflow of a video with its ids, and cancels it', async () => {
    await relay()
    const videoId = newVideoId()
    const handle = temporal.client.workflow.getHandle(videoWorkflowId(videoId))
    await append('ingest-video', videoId)
    await until(isDone)
    const description = await handle.describe()
    expect(description).toMatchObject({
      type: 'ingestVideo',
      taskQueue: 'ingest',
      status: { name: 'RUNNING' },
    })
    expect(description.typedSearchAttributes.get(ACCOUNT_ID)).toBe(world.accountId)
    expect(description.typedSearchAttributes.get(VIDEO_ID)).toBe(videoId)
    const { events } = await handle.fetchHistory()
    const started = events?.[0]?.workflowExecutionStartedEventAttributes
    expect(JSON.parse(String(started?.input?.payloads?.[0]?.data))).toEqual({
      videoId,
      accountId: world.accountId,
    })
    expect(started?.priority?.fairnessKey).toBe(String(world.accountId))

    await append('cancel-video', videoId)
    await until(isDone)
    const { events: later } = await handle.fetchHistory()
    expect(later?.some((e) => e.workflowExecutionCancelRequestedEventAttributes)).toBe(true)
    await handle.terminate()
  })

  it('takes a start that was made already, and a cancellation of nothing, as done', async () => {
    await relay()
    const videoId = newVideoId()
    await append('ingest-video', videoId)
    await until(isDone)
    const handle = temporal.client.workflow.getHandle(videoWorkflowId(videoId))
    const { runId } = await handle.describe()
    await append('ingest-video', videoId)
    await append('cancel-video', newVideoId())
    await until(isDone)
    expect((await handle.describe()).runId).toBe(runId)
    await handle.terminate()
  })

  it('drops the command of a delivery that is gone, has ended or has no sense', async () => {
    const { deliveryId } = await world.announceTo(endpointId)
    await world.execute('delete from webhook_delivery where id = ?', [deliveryId])
    await append('deliver-webhook', 'not a number')
    await append('retry-delivery', '999999999')
    await relay()
    await until(isDone)
    await expect(describeDelivery(deliveryId)).rejects.toThrow(WorkflowNotFoundError)
  })

  it('wakes a waiting delivery when it is to be retried now', async () => {
    await relay()
    receiver.answer = (response) => void response.writeHead(500).end()
    const { deliveryId } = await world.announceTo(endpointId)
    await until(async () => (await world.delivery(deliveryId)).attemptCount === 1)
    receiver.answer = (response) => void response.end()
    await append('retry-delivery', String(deliveryId))
    await until(() => isDelivered(deliveryId))
    expect(await world.attempts(deliveryId)).toMatchObject([
      { number: 1, trigger: 'schedule' },
      { number: 2, trigger: 'manual' },
    ])
  })

  it('gives a delivery that lost its workflow another when it is to be retried now', async () => {
    await relay()
    receiver.answer = (response) => void response.writeHead(500).end()
    const { deliveryId } = await world.announceTo(endpointId)
    await until(async () => (await world.delivery(deliveryId)).attemptCount === 1)
    await temporal.client.workflow.getHandle(deliveryWorkflowId(deliveryId)).terminate()
    receiver.answer = (response) => void response.end()
    await append('retry-delivery', String(deliveryId))
    await until(() => isDelivered(deliveryId))
    expect(await world.attempts(deliveryId)).toMatchObject([{ number: 1 }, { number: 2 }])
  })

  it('waits for a receiver that takes 11 of its 15 seconds, and sends to it once', async () => {
    await relay()
    receiver.answer = (response) => void setTimeout(() => response.end(), 11_000)
    const { deliveryId } = await world.announceTo(endpointId)
    await until(() => isDelivered(deliveryId), 20_000)
    expect(received).toHaveLength(1)
    expect((await world.attempts(deliveryId))[0]?.durationMs).toBeGreaterThan(10_900)
  })

  it('lets a worker that stops finish the request that is on its way', async () => {
    await relay()
    receiver.answer = (response) => void setTimeout(() => response.end(), 1_000)
    const { deliveryId } = await world.announceTo(endpointId)
    await until(() => received.length === 1)
    await stopWorker()
    expect(await isDelivered(deliveryId)).toBe(true)
    stopWorker = await runWebhookWorker(temporal, world, network.egress())
    const ended = async () => (await describeDelivery(deliveryId)).status.name === 'COMPLETED'
    await until(ended, 30_000)
    expect(received).toHaveLength(1)
  })

  it('starts each once where two relays run', async () => {
    await Promise.all([relay(), relay()])
    const ids = await Promise.all(Array.from({ length: 40 }, () => world.announceTo(endpointId)))
    await until(() => received.length >= 40, 30_000)
    await until(isDone)
    for (const { deliveryId } of ids)
      expect(await world.attempts(deliveryId)).toMatchObject([{ number: 1 }])
    expect(received).toHaveLength(40)
  })

  it('takes over what a relay that was killed had claimed', async () => {
    const { deliveryId } = await world.announceTo(endpointId)
    const claimed = await claimDue(world.db.em.fork(), 10, 400)
    expect(claimed).toMatchObject([{ subjectId: String(deliveryId), attempts: 1 }])
    expect(await claimDue(world.db.em.fork(), 10, 400)).toEqual([])
    await relay()
    await until(() => isDelivered(deliveryId))
  })

  it('goes on, woken by commits, after PostgreSQL has cut every connection', async () => {
    await relay()
    await until(async () => (await listeners()).length === 1)
    await world.execute(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await until(async () => (await listeners()).length === 1)
    const { deliveryId } = await world.announceTo(endpointId)
    await until(() => isDelivered(deliveryId))
  })

  it('makes the Schedule of the sweep, whatever was there before', async () => {
    await relay()
    const schedule = temporal.client.schedule.getHandle(SWEEP_SCHEDULE_ID)
    await until(() => schedule.describe().then(YES, NO))
    await relay()
    const { spec, policies, action } = await schedule.describe()
    expect(spec.intervals).toMatchObject([{ every: 60_000 }])
    expect(policies.overlap).toBe('SKIP')
    expect(action).toMatchObject({ workflowType: 'sweepOutbox', taskQueue: 'webhooks' })
  })

  it('lets work wait while Temporal is down, and does it when Temporal is back', async () => {
    await relay()
    await temporal.stop()
    const ids = await Promise.all(Array.from({ length: 5 }, () => world.announceTo(endpointId)))
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    const rows = await outbox()
    expect(rows).toHaveLength(5)
    // No hot loop: about one row a second finds out whether it is back.
    expect(rows.reduce((sum, { attempts }) => sum + attempts, 0)).toBeLessThan(15)
    expect(received).toHaveLength(0)
    await temporal.start()
    await until(() => received.length >= 5, 30_000)
    for (const { deliveryId } of ids) await until(() => isDelivered(deliveryId))
    expect(received).toHaveLength(5)
  })

  it('and the sweep restore a delivery where Temporal has lost its whole store', async () => {
    await relay()
    receiver.answer = (response) => void response.writeHead(500).end()
    const { deliveryId } = await world.announceTo(endpointId)
    await until(async () => (await world.delivery(deliveryId)).attemptCount === 1)
    await temporal.stop()
    await temporal.start({ isEmpty: true })
    receiver.answer = (response) => void response.end()
    await world.execute(
      `update webhook_delivery set created_at = now() - interval '1 minute',
         next_retry_at = now() + interval '3 seconds' where id = ${deliveryId}`,
    )
    const schedule = temporal.client.schedule.getHandle(SWEEP_SCHEDULE_ID)
    // The relay makes the Schedule again by itself.
    await until(() => schedule.trigger().then(YES, NO), 30_000)
    await until(() => isDelivered(deliveryId), 30_000)
    const [first, second] = await world.attempts(deliveryId)
    expect([first?.number, second?.number]).toEqual([1, 2])
    expect(received).toHaveLength(2)
  })
})

const YES = () => true
const NO = () => false

const listeners = () =>
  world.execute(`select 1 from pg_stat_activity
    where datname = current_database() and query = 'listen outbox'`)
