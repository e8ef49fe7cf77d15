import { Client } from '@temporalio/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../db/database.ts'
import { claimDueRequests } from '../db/outbox/write-workflow-requests.ts'
import { deliveryWorkflowId } from '../domain/workflow-ids.ts'
import { SWEEP_SCHEDULE_ID } from '../temporal/names.ts'
import { setUpRelayFixture } from '../test/fixtures/relay.ts'
import { openSilentProxy, throughProxy } from '../test/infrastructure/silent-proxy.ts'
import { until, waitFor } from '../test/infrastructure/wait-for.ts'

const t = setUpRelayFixture()
const { receiver, received } = t
/** A delivery whose receiver is slow; the first test waits for something else in the meantime. */
const slow = { deliveryId: 0, requests: 0 }

beforeAll(async () => {
  const server = await t.network.serveHttps(['slow.test'], (_request, response) => {
    slow.requests += 1
    setTimeout(() => response.end(), 11_000)
  })
  t.network.dns.set('slow.test', ['127.0.0.1'])
  const { id } = await t.webhooks.addEndpoint(`https://slow.test:${server.port}/`)
  slow.deliveryId = (await t.webhooks.announceTo(id)).deliveryId
  await t.startRelay()
  await until(async () => slow.requests === 1)
  await t.stopRelays()
  await until(async () => (await listeners()).length === 0)
})

const YES = () => true
const NO = () => false

describe('the relay, during outages,', () => {
  it('continues, notified of commits, after the network has silently lost its connections', async () => {
    const { hostname, port } = new URL(t.webhooks.databaseUrl)
    const proxy = await openSilentProxy({ host: hostname, port: Number(port) })
    const databaseUrl = throughProxy(t.webhooks.databaseUrl, proxy)
    const deadlines = { connectMs: 2_000, statementMs: 2_000 }
    const db = await openDatabase({ url: databaseUrl, poolSize: 2, deadlines })
    try {
      await t.startRelay({ db, databaseUrl, pollMs: 600_000 })
      await until(async () => (await listeners()).length === 1)
      proxy.loseConnections()
      // The server does not notice either: it still counts the lost connection.
      await until(async () => (await listeners()).length === 2, 20_000)
      const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
      await until(() => t.isDelivered(deliveryId))
      await t.stopRelays()
    } finally {
      await db.close(true)
      await proxy.close()
    }
  }, 60_000)

  it('waits in one task for a receiver that takes 11 of its 15 seconds, and sends once', async () => {
    await waitFor('the slow delivery', () => t.isDelivered(slow.deliveryId))
    expect(slow.requests).toBe(1)
    expect((await t.webhooks.attempts(slow.deliveryId))[0]?.durationMs).toBeGreaterThan(10_900)
    const handle = t.temporal.deliveries.workflow.getHandle(deliveryWorkflowId(slow.deliveryId))
    await handle.result()
    const { events } = await handle.fetchHistory()
    expect(events?.filter((event) => event.workflowTaskStartedEventAttributes)).toHaveLength(1)
  })

  it('lets a stopping worker finish its running request', async () => {
    await t.startRelay()
    receiver.respond = (response) => void setTimeout(() => response.end(), 1_000)
    const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
    await until(() => received.length === 1)
    await t.stopWorker()
    expect(await t.isDelivered(deliveryId)).toBe(true)
    await t.startWorker()
    const ended = async () => (await t.describeDelivery(deliveryId)).status.name === 'COMPLETED'
    await waitFor('the end of the workflow', ended)
    expect(received).toHaveLength(1)
  })

  it('starts each workflow once with two relays', async () => {
    await Promise.all([t.startRelay(), t.startRelay()])
    const ids = await Promise.all(
      Array.from({ length: 40 }, () => t.webhooks.announceTo(t.endpointId)),
    )
    // An attempt is recorded after its receiver has responded.
    const areDelivered = async () => (await Promise.all(ids.map(isDelivered))).every(Boolean)
    await waitFor('all deliveries', areDelivered)
    await until(t.isDone)
    for (const { deliveryId } of ids)
      expect(await t.webhooks.attempts(deliveryId)).toMatchObject([{ number: 1 }])
    expect(received).toHaveLength(40)
  })

  it('sends the other requests while many have no response from a slow part of Temporal', async () => {
    const slowIds = new Set<string>()
    const { promise, resolve: endSlowness } = Promise.withResolvers<void>()
    let waiting = 0
    const client = new Client({
      connection: t.temporal.client.connection,
      namespace: 'default',
      interceptors: {
        workflow: [
          {
            async startWithDetails(input, next) {
              if (slowIds.has(input.options.workflowId)) {
                waiting += 1
                await promise
              }
              return next(input)
            },
          },
        ],
      },
    })
    const announce = () => t.webhooks.announceTo(t.endpointId)
    const slowOnes = await Promise.all(Array.from({ length: 20 }, announce))
    for (const { deliveryId } of slowOnes) slowIds.add(deliveryWorkflowId(deliveryId))
    await t.startRelay({ client })
    await until(async () => waiting === slowOnes.length)
    const others = await Promise.all(Array.from({ length: 20 }, announce))
    for (const { deliveryId } of others) await until(() => t.isDelivered(deliveryId))
    expect(received).toHaveLength(others.length)
    endSlowness()
    for (const { deliveryId } of slowOnes) await until(() => t.isDelivered(deliveryId))
  })

  it('takes over the rows that a killed relay had claimed', async () => {
    const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
    const claimed = await claimDueRequests(t.webhooks.db.em.fork(), 10, 400)
    expect(claimed).toMatchObject([{ subjectId: String(deliveryId), attempts: 1 }])
    expect(await claimDueRequests(t.webhooks.db.em.fork(), 10, 400)).toEqual([])
    await t.startRelay()
    await until(() => t.isDelivered(deliveryId))
  })

  it('continues, notified of commits, after PostgreSQL has cut every connection', async () => {
    await t.startRelay()
    await until(async () => (await listeners()).length === 1)
    await t.webhooks.execute(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    // The pool of the test may return one of the cut connections, too.
    await until(async () => (await listeners().catch(() => [])).length === 1)
    const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
    await until(() => t.isDelivered(deliveryId))
  })

  it('keeps requests while Temporal is down, and executes them when it is back', async () => {
    await t.startRelay()
    await t.temporal.stop()
    const ids = await Promise.all(
      Array.from({ length: 5 }, () => t.webhooks.announceTo(t.endpointId)),
    )
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    const rows = await t.outbox()
    expect(rows).toHaveLength(5)
    // The relay checks about once per second whether Temporal is back.
    expect(rows.reduce((sum, { attempts }) => sum + attempts, 0)).toBeLessThan(15)
    expect(received).toHaveLength(0)
    await t.temporal.start()
    for (const id of ids) await waitFor('the delivery', () => isDelivered(id))
    expect(received).toHaveLength(5)
  })

  it('and the sweep restore a delivery after Temporal has lost its store', async () => {
    await t.startRelay()
    receiver.respond = (response) => void response.writeHead(500).end()
    const { deliveryId } = await t.webhooks.announceTo(t.endpointId)
    await until(async () => (await t.webhooks.delivery(deliveryId)).attemptCount === 1)
    await t.temporal.stop()
    await t.temporal.start({ isEmpty: true })
    receiver.respond = (response) => void response.end()
    await t.webhooks.execute(
      `update webhook_delivery set created_at = now() - interval '1 minute',
         next_retry_at = now() + interval '3 seconds' where id = ${deliveryId}`,
    )
    const schedule = t.temporal.client.schedule.getHandle(SWEEP_SCHEDULE_ID)
    // The relay creates the Schedule again.
    await waitFor('the Schedule', () => schedule.trigger().then(YES, NO))
    // A sweep skips what Temporal does not respond about. The Schedule begins the next one within a minute.
    await waitFor('the delivery', () => t.isDelivered(deliveryId))
    const [first, second] = await t.webhooks.attempts(deliveryId)
    expect([first?.number, second?.number]).toEqual([1, 2])
    expect(received).toHaveLength(2)
  }, 240_000)
})

const isDelivered = ({ deliveryId }: { deliveryId: number }) => t.isDelivered(deliveryId)

const listeners = () =>
  t.webhooks.execute(`select 1 from pg_stat_activity
    where datname = current_database() and query = 'listen outbox'`)
