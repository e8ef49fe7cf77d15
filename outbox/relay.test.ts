import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { WorkflowNotFoundError } from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'
import { Client } from 'pg'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { retryDelivery } from '../commands/webhooks/retry-delivery.ts'
import type { WorkflowRequestKind } from '../db/entities/event.ts'
import { requestWorkflows } from '../db/outbox/write-workflow-requests.ts'
import { listEvents } from '../db/webhooks/events.ts'
import { findReplay } from '../db/webhooks/webhook-replays.ts'
import { insertReplay } from '../db/webhooks/write-webhook-replays.ts'
import { BACKLOG_VIDEOS, PRIORITIES } from '../domain/ingest/ingest-priority.ts'
import { deletionWorkflowId, deliveryWorkflowId, videoWorkflowId } from '../domain/workflow-ids.ts'
import { DEFAULT_NAMESPACES } from '../scripts/temporal-namespace.ts'
import { openClient } from '../temporal/connect.ts'
import {
  ACCOUNT_ID,
  AUDIENCE_SCHEDULE_ID,
  CHECK_SCHEDULE_ID,
  FOLD_SCHEDULE_ID,
  OBJECTS_SCHEDULE_ID,
  RETENTION_SCHEDULE_ID,
  SWEEP_SCHEDULE_ID,
  VIDEO_ID,
} from '../temporal/names.ts'
import { setUpRelayFixture } from '../test/fixtures/relay.ts'
import { insertVideoFixture } from '../test/fixtures/video-rows.ts'
import { until } from '../test/infrastructure/wait-for.ts'
import { startRelay } from './relay.ts'

const t = setUpRelayFixture()
const { receiver, received } = t
const newVideoId = () => crypto.randomUUID().replaceAll('-', '').slice(0, 20)
const YES = () => true
const NO = () => false

describe('the relay', () => {
  it('starts the workflow of a committed delivery in their namespace, with its first task in the response, and deletes its row', async () => {
    await t.startRelay()
    const [deliveryId = 0] = await t.webhooks.announce()
    await until(() => t.isDelivered(deliveryId))
    await until(t.isDone)
    const { taskQueue, typedSearchAttributes, raw } = await t.describeDelivery(deliveryId)
    expect(taskQueue).toBe('deliveries')
    expect(typedSearchAttributes.get(ACCOUNT_ID)).toBe(t.webhooks.accountId)
    const summary = JSON.stringify(raw.executionConfig?.userMetadata?.summary?.data?.toString())
    expect(summary).toContain('video.ready to hooks.test:')
    expect(summary).not.toContain('secret-path')
    const id = deliveryWorkflowId(deliveryId)
    const { events } = await t.temporal.deliveries.workflow.getHandle(id).fetchHistory()
    const started = events?.[0]?.workflowExecutionStartedEventAttributes
    expect(started?.eagerExecutionAccepted).toBe(true)
    await expect(t.temporal.client.workflow.getHandle(id).describe()).rejects.toThrow(
      WorkflowNotFoundError,
    )
  })

  it('is notified of each commit, without waiting for its poll', async () => {
    await t.startRelay({ pollMs: 3_600_000 })
    for (let n = 1; n <= 5; n += 1) {
      await t.webhooks.announceTo(t.endpointId)
      await until(async () => received.length === n && (await t.isDone()))
    }
  })

  it('lets events appear beside an open transaction of another database of the server', async () => {
    const elsewhere = new URL(t.webhooks.databaseUrl)
    elsewhere.pathname = '/postgres'
    const client = new Client({ connectionString: elsewhere.href })
    await client.connect()
    try {
      await client.query('begin')
      await client.query('select pg_current_xact_id()')
      await t.webhooks.announce()
      const events = async () => {
        const { db, accountId } = t.webhooks
        return (await listEvents(db.em.fork(), { accountId }, { limit: 10 })).rows
      }
      const [before] = await events()
      await t.startRelay()
      await until(async () => (await events())[0]?.body !== before?.body)
    } finally {
      await client.end()
    }
  })

  it('is active three times at most, the others without a connection of their own; the place of one that stops goes to one that waits', async () => {
    const places = () =>
      t.webhooks.execute<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and classid = 735001 and granted`,
      )
    for (let n = 1; n <= 5; n += 1) await t.startRelay()
    await until(async () => (await places()).length === 3)
    await until(async () => {
      const waiting = `select 1 from pg_stat_activity
        where datname = current_database() and query ~ 'pg_try_advisory_lock\\('`
      return (await t.webhooks.execute(waiting)).length === 0
    })
    const [first] = await places()
    await t.webhooks.execute('select pg_terminate_backend(?)', [first?.pid])
    await until(async () => {
      const pids = (await places()).map(({ pid }) => pid)
      return pids.length === 3 && !pids.includes(first?.pid ?? 0)
    })
    const deliveries = await t.webhooks.announce()
    await until(async () => (await Promise.all(deliveries.map(t.isDelivered))).every(Boolean))
  })

  it('is not slowed down by one request that Temporal does not respond to', async () => {
    const { client } = t.temporal
    const [silent, others] = [newVideoId(), Array.from({ length: 20 }, newVideoId)]
    const start = client.workflow.start.bind(client.workflow)
    const workflow = Object.assign(Object.create(client.workflow) as typeof client.workflow, {
      start: (type: string, options: Parameters<typeof start>[1]) =>
        options.workflowId === videoWorkflowId(silent)
          ? Promise.reject(Object.assign(new Error('DEADLINE_EXCEEDED'), { code: 4 }))
          : start(type, options),
    })
    const slow = Object.create(client, { workflow: { value: workflow } }) as typeof client
    await t.startRelay({ client: slow })
    await t.append('ingest-video', silent)
    await until(async () => (await t.outbox())[0]?.attempts === 2)
    for (const videoId of others) await t.append('ingest-video', videoId)
    await until(async () => (await t.outbox()).length === 1)
    expect(t.logLines.join('')).not.toContain('Temporal is unreachable')
    for (const videoId of others)
      await client.workflow.getHandle(videoWorkflowId(videoId)).terminate()
  })

  it('that stops makes the requests that it has not sent due for other relays', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const client = openClient({ address: `127.0.0.1:${port}`, namespace: 'default' })
    await t.startRelay({ client, pollMs: 3_600_000 })
    await t.webhooks.db.em.fork().transactional((tx) =>
      requestWorkflows(
        tx,
        Array.from({ length: 40 }, () => ({
          command: 'delete-video',
          subjectId: newVideoId(),
          accountId: t.webhooks.accountId,
        })),
      ),
    )
    const count = async (condition: string) =>
      (await t.webhooks.execute(`select 1 from outbox where ${condition}`)).length
    await until(async () => (await count('attempts = 1')) === 40)
    await t.stopRelays()
    expect(await count('attempts = 0 and due_at <= now()')).toBe(24)
    expect(await count(`due_at > now() + interval '2 seconds'`)).toBe(0)
    for (const socket of sockets) socket.destroy()
    silent.close()
    await client.connection.close()
  })

  it('starts the workflow of a video with its ids, and cancels it', async () => {
    await t.startRelay()
    const videoId = newVideoId()
    const handle = t.temporal.client.workflow.getHandle(videoWorkflowId(videoId))
    await t.append('ingest-video', videoId)
    await until(t.isDone)
    const description = await handle.describe()
    expect(description).toMatchObject({
      type: 'ingestVideo',
      taskQueue: 'ingest',
      status: { name: 'RUNNING' },
    })
    expect(description.typedSearchAttributes.get(ACCOUNT_ID)).toBe(t.webhooks.accountId)
    expect(description.typedSearchAttributes.get(VIDEO_ID)).toBe(videoId)
    const { events } = await handle.fetchHistory()
    const started = events?.[0]?.workflowExecutionStartedEventAttributes
    expect(JSON.parse(String(started?.input?.payloads?.[0]?.data))).toEqual({
      videoId,
      accountId: t.webhooks.accountId,
    })
    expect(started?.priority?.fairnessKey).toBe(String(t.webhooks.accountId))

    await t.append('delete-video', videoId)
    await until(t.isDone)
    const deletion = t.temporal.client.workflow.getHandle(deletionWorkflowId(videoId))
    expect(await deletion.describe()).toMatchObject({ type: 'deleteVideo', taskQueue: 'ingest' })
    await Promise.all([handle.terminate(), deletion.terminate()])
  })

  it('starts the video of an account with many unready ones as one of a backlog, and not that of another account', async () => {
    const many = await t.webhooks.addAccount()
    const priorityOf = async (accountId: number) => {
      const videoId = await insertVideoFixture(t.webhooks.db, { accountId })
      await t.webhooks.db.em
        .fork()
        .transactional((tx) =>
          requestWorkflows(tx, [{ command: 'ingest-video', subjectId: videoId, accountId }]),
        )
      await until(t.isDone)
      const handle = t.temporal.client.workflow.getHandle(videoWorkflowId(videoId))
      const { events } = await handle.fetchHistory()
      await handle.terminate()
      return events?.[0]?.workflowExecutionStartedEventAttributes?.priority?.priorityKey ?? 0
    }
    for (let count = 1; count < BACKLOG_VIDEOS; count += 1)
      await insertVideoFixture(t.webhooks.db, { accountId: many })
    await insertVideoFixture(t.webhooks.db, { accountId: many, status: 'ready' })
    await t.startRelay()
    expect(await priorityOf(many)).toBe(0)
    expect(await priorityOf(many)).toBe(PRIORITIES.backlog)
    expect(await priorityOf(t.webhooks.accountId)).toBe(0)
  })

  it('logs the workflow request with its Request-Id, and adds the Request-Id to the memo of the workflow', async () => {
    await t.startRelay()
    const [videoId, requestId] = [newVideoId(), `req_${newVideoId()}`]
    await t.append('ingest-video', videoId, requestId)
    const [{ id: deliveryId }] = (await t.webhooks.execute(
      `insert into webhook_delivery (account_id, endpoint_id, event_id, event_type)
       select account_id, endpoint_id, event_id, event_type from webhook_delivery
       where id = ? returning id`,
      [(await t.webhooks.announceTo(t.endpointId)).deliveryId],
    )) as [{ id: number }]
    await t.append('retry-delivery', String(deliveryId), requestId)
    await until(t.isDone)
    await until(() => t.isDelivered(deliveryId))
    const ingest = t.temporal.client.workflow.getHandle(videoWorkflowId(videoId))
    expect((await ingest.describe()).memo).toEqual({ requestId })
    expect((await t.describeDelivery(deliveryId)).memo).toEqual({ requestId })
    const lines = t.logLines
      .filter((line) => line.includes(requestId))
      .map((line) => JSON.parse(line) as { command: string })
    // The relay executes both at the same time.
    expect(lines.toSorted((a, b) => a.command.localeCompare(b.command))).toEqual([
      expect.objectContaining({ command: 'ingest-video', subjectId: videoId }),
      expect.objectContaining({ command: 'retry-delivery', subjectId: String(deliveryId) }),
    ])
    await ingest.terminate()
  })

  it('accepts a repeated start', async () => {
    await t.startRelay()
    const videoId = newVideoId()
    await t.append('ingest-video', videoId)
    await until(t.isDone)
    const handle = t.temporal.client.workflow.getHandle(videoWorkflowId(videoId))
    const { runId } = await handle.describe()
    await t.append('ingest-video', videoId)
    await until(t.isDone)
    expect((await handle.describe()).runId).toBe(runId)
    await handle.terminate()
  })

  it('drops the request of a delivery that is deleted or has ended', async () => {
    const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
    await t.webhooks.execute('delete from webhook_delivery where id = ?', [deliveryId])
    await t.append('retry-delivery', '999999999')
    await t.startRelay()
    await until(t.isDone)
    await expect(t.describeDelivery(deliveryId)).rejects.toThrow(WorkflowNotFoundError)
  })

  it('keeps and logs a request whose subject it cannot read, and sends those after it', async () => {
    const unreadable: [WorkflowRequestKind, string][] = [
      ['deliver-webhook', 'not a number'],
      ['retry-delivery', '1'.repeat(30)],
      ['cancel-delivery', '0x10'],
      ['replay-webhooks', ''],
      ['set-poster', `${newVideoId()}/`],
    ]
    t.logLines.length = 0
    for (const [command, subjectId] of unreadable) await t.append(command, subjectId)
    const [deliveryId = 0] = await t.webhooks.announce()
    await t.startRelay()
    await until(() => t.isDelivered(deliveryId))
    await until(async () => (await t.outbox()).length === unreadable.length)
    for (const [command, subjectId] of unreadable) {
      const line = t.logLines.find((text) => text.includes(`"command":"${command}"`))
      expect(line).toContain(`"subjectId":"${subjectId}"`)
      expect(line).toContain('is not an id')
    }
  })

  it.each([1_000_000_000, 2 ** 31, 2 ** 52])(
    'sends and retries a delivery with the id %d',
    async (id) => {
      await t.startRelay()
      await t.webhooks.execute(`select setval('webhook_delivery_id_seq', ${id}, false)`)
      receiver.respond = (response) => void response.writeHead(500).end()
      const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
      expect(deliveryId).toBe(id)
      await until(async () => (await t.webhooks.delivery(deliveryId)).attemptCount === 1)
      receiver.respond = (response) => void response.end()
      await t.append('retry-delivery', String(deliveryId))
      await until(() => t.isDelivered(deliveryId))
    },
  )

  it('ends the wait of a delivery that is retried now', async () => {
    await t.startRelay()
    receiver.respond = (response) => void response.writeHead(500).end()
    const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
    await until(async () => (await t.webhooks.delivery(deliveryId)).attemptCount === 1)
    receiver.respond = (response) => void response.end()
    await t.append('retry-delivery', String(deliveryId))
    await until(() => t.isDelivered(deliveryId))
    expect(await t.webhooks.attempts(deliveryId)).toMatchObject([
      { number: 1, trigger: 'schedule' },
      { number: 2, trigger: 'manual' },
    ])
  })

  it('tells the workflow after how many recorded attempts a retry was requested', async () => {
    await t.startRelay()
    receiver.respond = (response) => void response.writeHead(500).end()
    const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
    await until(async () => (await t.webhooks.delivery(deliveryId)).attemptCount === 1)
    receiver.respond = (response) => void response.end()
    const { db, accountId } = t.webhooks
    await db.em.fork().transactional((tx) => retryDelivery(tx, accountId, deliveryId))
    await until(() => t.isDelivered(deliveryId))
    const id = deliveryWorkflowId(deliveryId)
    const { events } = await t.temporal.deliveries.workflow.getHandle(id).fetchHistory()
    const signals = events?.flatMap((event) => event.workflowExecutionSignaledEventAttributes ?? [])
    expect(signals).toHaveLength(1)
    expect(defaultPayloadConverter.fromPayload(signals?.[0]?.input?.payloads?.[0] ?? {})).toBe(1)
  })

  it('starts another workflow for a delivery that lost its own when it is retried now', async () => {
    await t.startRelay()
    receiver.respond = (response) => void response.writeHead(500).end()
    const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
    await until(async () => (await t.webhooks.delivery(deliveryId)).attemptCount === 1)
    await t.temporal.deliveries.workflow.getHandle(deliveryWorkflowId(deliveryId)).terminate()
    receiver.respond = (response) => void response.end()
    await t.append('retry-delivery', String(deliveryId))
    await until(() => t.isDelivered(deliveryId))
    expect(await t.webhooks.attempts(deliveryId)).toMatchObject([{ number: 1 }, { number: 2 }])
  })

  it('cancels the workflow of a delivery that has ended, and accepts a missing one', async () => {
    await t.startRelay()
    receiver.respond = (response) => void response.writeHead(500).end()
    const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
    await until(async () => (await t.webhooks.delivery(deliveryId)).attemptCount === 1)
    await t.append('cancel-delivery', String(deliveryId))
    await until(async () => (await t.describeDelivery(deliveryId)).status.name === 'CANCELLED')
    expect(await t.webhooks.delivery(deliveryId)).toMatchObject({
      status: 'failed',
      errorCode: 'cancelled',
      attemptCount: 1,
      nextRetryAt: null,
    })
    await t.append('cancel-delivery', String(deliveryId))
    await t.append('cancel-delivery', '999999')
    await until(t.isDone)
  })

  it('runs a replay, which delivers failed events by separate deliveries', async () => {
    await t.startRelay()
    receiver.respond = (response) => void response.writeHead(410).end()
    const { deliveryId, eventId } = await t.webhooks.announceTo(t.endpointId)
    await until(async () => (await t.webhooks.delivery(deliveryId)).status === 'failed')
    await t.webhooks.execute('update webhook_endpoint set is_active = true')
    receiver.respond = (response) => void response.end()
    received.length = 0
    const range = { since: new Date(0), until: new Date('2998-01-01T00:00:00Z') }
    const { accountId } = t.webhooks
    const replay = { accountId, endpointId: t.endpointId, status: 'failed', ...range } as const
    const { id } = (await insertReplay(t.webhooks.db.em.fork(), replay)).replay
    await t.append('replay-webhooks', String(id))
    // Other tests of this file have left failed deliveries, which the replay includes.
    await until(() => received.some(({ headers }) => headers['webhook-id'] === eventId))
    await until(async () => {
      const found = await findReplay(t.webhooks.db.em.fork(), accountId, id)
      return found?.replay.state === 'completed' && found.deliveries.delivered > 0
    })
    expect(await t.webhooks.delivery(deliveryId)).toMatchObject({ status: 'failed' })
  })

  it('creates the Schedule of the sweep, replacing an earlier one', async () => {
    await t.startRelay()
    const schedule = t.temporal.client.schedule.getHandle(SWEEP_SCHEDULE_ID)
    await until(() => schedule.describe().then(YES, NO))
    await t.startRelay()
    const { spec, policies, action } = await schedule.describe()
    expect(spec.intervals).toMatchObject([{ every: 60_000 }])
    expect(policies.overlap).toBe('SKIP')
    expect(action).toMatchObject({ workflowType: 'sweepOutbox', taskQueue: 'webhooks' })
  })

  it.each([
    { id: RETENTION_SCHEDULE_ID, workflowType: 'purgeHistory', every: 3_600_000 },
    { id: OBJECTS_SCHEDULE_ID, workflowType: 'reconcileObjects', every: 604_800_000 },
    { id: FOLD_SCHEDULE_ID, workflowType: 'foldSums', every: 60_000 },
    { id: AUDIENCE_SCHEDULE_ID, workflowType: 'countAudience', every: 60_000 },
    { id: CHECK_SCHEDULE_ID, workflowType: 'checkSums', every: 86_400_000 },
  ])('creates the Schedule $id', async ({ id, workflowType, every }) => {
    await t.startRelay()
    const schedule = t.temporal.client.schedule.getHandle(id)
    await until(() => schedule.describe().then(YES, NO))
    const { spec, policies, action } = await schedule.describe()
    expect(spec.intervals).toMatchObject([{ every }])
    expect(policies.overlap).toBe('SKIP')
    expect(action).toMatchObject({ workflowType, taskQueue: 'webhooks' })
  })

  it('can be stopped at any moment of its start', async () => {
    for (let waitMs = 0; waitMs < 30; waitMs += 3) {
      const { db, databaseUrl } = t.webhooks
      const logger = pino({ level: 'silent' })
      const { client } = t.temporal
      const deliveriesNamespace = DEFAULT_NAMESPACES.deliveries
      const relay = await startRelay({ db, databaseUrl, client, deliveriesNamespace, logger })
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      await relay.stop()
    }
  })
})
