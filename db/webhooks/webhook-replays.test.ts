import { beforeEach, describe, expect, it } from 'vitest'
import { appendEvents } from '../../commands/events.ts'
import { appendReplayBatch } from '../../commands/webhooks/append-replay-batch.ts'
import { setUpCommandFixture } from '../../test/fixtures/commands.ts'
import { replaySettled } from '../../test/fixtures/replays.ts'
import type { EntityManager } from '../database.ts'
import { deleteDeliveries } from '../upkeep/write-retention.ts'
import { countReplay } from './replayed-events.ts'
import { findReplay, listReplays } from './webhook-replays.ts'
import { failDelivery, recordAttempt } from './write-deliveries.ts'
import { endPendingDeliveries } from './write-delivery-cancellations.ts'
import { markWebhookEndpointDeleted } from './write-endpoint-settlement.ts'
import { insertReplay, type NewReplay } from './write-webhook-replays.ts'

const t = setUpCommandFixture()
const LIMITS = { events: 1000, waiting: 10_000 }

/** Adds events of which no endpoint has a delivery. */
async function addEvents(count: number): Promise<void> {
  const data = { id: 'a'.repeat(20), object: 'video', status: 'ready' } as const
  const event = { accountId: t.accountId, type: 'video.ready', data } as const
  await t.em().transactional((tx) =>
    appendEvents(
      tx,
      Array.from({ length: count }, () => event),
    ),
  )
  await t.execute('delete from webhook_delivery')
}

const allMissing = (): NewReplay => ({
  accountId: t.accountId,
  endpointId: null,
  since: new Date(0),
  until: new Date('2998-01-01T00:00:00Z'),
  status: 'missing',
})

/** Starts a replay of all events and makes its deliveries; resolves to its id. */
async function replayAll(): Promise<number> {
  const { id } = (await insertReplay(t.em(), allMissing())).replay
  await replaySettled(t.em(), id)
  expect((await appendReplayBatch(t.em(), id, LIMITS)).outcome).toBe('ended')
  return id
}

const deliveriesOf = async (id: number) =>
  (await findReplay(t.em(), t.accountId, id))?.deliveries ?? null
const idsOf = async (replayId: number) =>
  (
    await t.execute<{ id: number }>(
      'select id from webhook_delivery where replay_id = ? order by id',
      [replayId],
    )
  ).map(({ id }) => id)

/** Records the first attempt of a delivery. */
const attempt = (deliveryId: number, endpointId: number, status: 'delivered' | 'failed') =>
  recordAttempt(t.em(), {
    deliveryId,
    endpointId,
    number: 1,
    trigger: 'schedule',
    startedAt: new Date(),
    durationMs: 1,
    responseStatus: status === 'delivered' ? 200 : 500,
    errorCode: status === 'delivered' ? null : 'http_error',
    responseHeaders: {},
    errorCause: null,
    errorMessage: null,
    responseBody: null,
    responseEncoding: null,
    remoteIp: null,
    timings: {},
    status,
    waitMs: null,
  })

/** Returns how many rows of a table `work` reads. */
const rowsRead = (table: string, work: (tx: EntityManager) => Promise<unknown>): Promise<number> =>
  t.em().transactional(async (tx) => {
    // Includes what the connection has read before.
    const read = async () => {
      const [row] = await tx.execute<{ count: string }[]>(
        `select seq_tup_read + coalesce(idx_tup_fetch, 0) as count from pg_stat_xact_user_tables
         where relname = ?`,
        [table],
      )
      return Number(row?.count)
    }
    const before = await read()
    await work(tx)
    return (await read()) - before
  })

beforeEach(() => t.execute(`update webhook_replay set state = 'cancelled'`))

describe('the count before a replay', () => {
  it('reads no more events than it counts and looks at', async () => {
    await t.addEndpoint(['video.ready'])
    await addEvents(2000)
    await t.execute('analyze event')
    const limits = { countedEvents: 200, pairs: 100 }
    const counts = { eventCount: 200, deliveryCount: 100, isComplete: false }
    const reads = await rowsRead('event', async (tx) =>
      expect(await countReplay(tx, allMissing(), limits)).toEqual(counts),
    )
    expect(reads).toBeLessThan(400)
  })

  it('looks at fewer events for more endpoints', async () => {
    for (let endpoints = 0; endpoints < 4; endpoints += 1) await t.addEndpoint(['video.ready'])
    await addEvents(12)
    const count = (pairs: number) =>
      countReplay(t.em(), allMissing(), { countedEvents: 100, pairs })
    expect(await count(40)).toEqual({ eventCount: 12, deliveryCount: 40, isComplete: false })
    expect(await count(48)).toEqual({ eventCount: 12, deliveryCount: 48, isComplete: true })
  })
})

describe('the deliveries of a replay', () => {
  it('are read as numbers, however many there are', async () => {
    await t.addEndpoint(['video.ready'])
    await addEvents(300)
    const id = await replayAll()
    expect(await deliveriesOf(id)).toEqual({ pending: 300, delivered: 0, failed: 0 })
    const reads = await rowsRead('webhook_delivery', async (tx) => {
      await findReplay(tx, t.accountId, id)
      await listReplays(tx, t.accountId, { limit: 10 })
    })
    expect(reads).toBe(0)
  })

  it('are counted by each way in which they end', async () => {
    const endpoint = await t.addEndpoint(['video.ready'])
    await addEvents(6)
    const id = await replayAll()
    const [delivered = 0, failed = 0, cancelled = 0, late = 0] = await idsOf(id)
    await attempt(delivered, endpoint, 'delivered')
    await attempt(failed, endpoint, 'failed')
    await attempt(failed, endpoint, 'failed')
    await failDelivery(t.em(), cancelled, 'cancelled')
    expect(await deliveriesOf(id)).toEqual({ pending: 3, delivered: 1, failed: 2 })
    await endPendingDeliveries(t.em(), { accountId: t.accountId, endpointId: endpoint }, 10)
    expect(await deliveriesOf(id)).toEqual({ pending: 0, delivered: 1, failed: 5 })
    // Its request was in flight when the endpoint was disabled.
    await attempt(late, endpoint, 'delivered')
    expect(await deliveriesOf(id)).toEqual({ pending: 0, delivered: 2, failed: 4 })
    await deleteDeliveries(t.em(), [delivered, failed])
    expect(await deliveriesOf(id)).toEqual({ pending: 0, delivered: 2, failed: 4 })
  })

  it('are all counted when many end at the same time', async () => {
    const endpoint = await t.addEndpoint(['video.ready'])
    await addEvents(60)
    const id = await replayAll()
    const ids = await idsOf(id)
    await Promise.all(
      ids.map((one) => attempt(one, endpoint, one % 3 === 0 ? 'failed' : 'delivered')),
    )
    expect(await deliveriesOf(id)).toEqual({ pending: 0, delivered: 40, failed: 20 })
  })

  it('do not include those of a deleted endpoint', async () => {
    const [kept, gone] = [
      await t.addEndpoint(['video.ready']),
      await t.addEndpoint(['video.ready']),
    ]
    await addEvents(4)
    const id = await replayAll()
    expect(await deliveriesOf(id)).toEqual({ pending: 8, delivered: 0, failed: 0 })
    await markWebhookEndpointDeleted(t.em(), { accountId: t.accountId, endpointId: gone })
    expect(await deliveriesOf(id)).toEqual({ pending: 4, delivered: 0, failed: 0 })
    await t.execute('delete from webhook_endpoint where id = ?', [gone])
    await attempt((await idsOf(id))[0] ?? 0, kept, 'delivered')
    expect(await deliveriesOf(id)).toEqual({ pending: 3, delivered: 1, failed: 0 })
  })
})
