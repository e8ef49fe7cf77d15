import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { disableEndpoint } from '../../commands/webhooks/disable-endpoint.ts'
import { retryDelivery } from '../../commands/webhooks/retry-delivery.ts'
import { openWebhookFixture, type WebhookFixture } from '../../test/fixtures/webhooks.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import type { EntityManager } from '../database.ts'
import { deleteDeliveries } from '../upkeep/write-retention.ts'
import { failDelivery, recordAttempt, type Standing } from './write-deliveries.ts'

let t: WebhookFixture
let endpointId: number
let id: number

beforeAll(async () => {
  t = await openWebhookFixture()
  endpointId = (await t.addEndpoint('https://hooks.example.com/')).id
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.execute('update webhook_endpoint set is_active = true, disabled_reason = null')
  id = (await t.announceTo(endpointId)).deliveryId
  await t.execute(
    `update webhook_delivery set next_retry_at = now() + interval '1 hour' where id = ${id}`,
  )
})

const record = (
  em: EntityManager,
  status: 'pending' | 'delivered' | 'failed',
  number = 1,
): Promise<Standing | null> =>
  recordAttempt(em, {
    deliveryId: id,
    endpointId,
    number,
    trigger: 'schedule',
    startedAt: new Date(),
    durationMs: 1,
    responseStatus: status === 'delivered' ? 200 : 500,
    errorCode: status === 'delivered' ? null : 'http_error',
    errorCause: null,
    errorMessage: null,
    responseHeaders: {},
    responseBody: null,
    responseEncoding: null,
    remoteIp: null,
    timings: {},
    status,
    waitMs: status === 'pending' ? 60_000 : null,
  })

const disable = (em: EntityManager) =>
  em.transactional((tx) =>
    disableEndpoint(tx, { accountId: t.accountId, endpointId, reason: 'owner' }),
  )
const cancel = (em: EntityManager) => failDelivery(em, id, 'cancelled')
const retry = (em: EntityManager) => em.transactional((tx) => retryDelivery(tx, t.accountId, id))
const remove = (em: EntityManager) => deleteDeliveries(em, [id])

/** The states of the delivery and its attempts, as their partitions name them. */
async function places() {
  const place = `regexp_replace(tableoid::regclass::text, '^.*_(pending|delivered|failed).*$', '\\1') as place`
  const [delivery] = await t.execute<{ place: string; status: string; attempts: number }>(
    `select ${place}, status, attempt_count as attempts from webhook_delivery where id = ${id}`,
  )
  const attempts = await t.execute<{ place: string; number: number }>(
    `select ${place}, number from webhook_attempt where delivery_id = ${id} order by number`,
  )
  expect(delivery?.place).toBe(delivery?.status)
  return { delivery: delivery?.place, attempts: attempts.map(({ place: at }) => at) }
}

describe('a delivery and its attempts', () => {
  it('are moved when it is delivered at once, and when it fails after attempts', async () => {
    await record(t.em(), 'delivered')
    expect(await places()).toEqual({ delivery: 'delivered', attempts: ['delivered'] })
    id = (await t.announceTo(endpointId)).deliveryId
    await record(t.em(), 'pending', 1)
    await record(t.em(), 'pending', 2)
    expect(await places()).toEqual({ delivery: 'pending', attempts: ['pending', 'pending'] })
    await record(t.em(), 'failed', 3)
    expect(await places()).toEqual({ delivery: 'failed', attempts: ['failed', 'failed', 'failed'] })
  })

  it('are moved by a cancellation and a disabled endpoint, and again by a success that arrives later', async () => {
    for (const end of [cancel, disable]) {
      id = (await t.announceTo(endpointId)).deliveryId
      await record(t.em(), 'pending')
      await end(t.em())
      expect(await places()).toEqual({ delivery: 'failed', attempts: ['failed'] })
      expect(await record(t.em(), 'delivered', 2)).not.toBeNull()
      expect(await places()).toEqual({
        delivery: 'delivered',
        attempts: ['delivered', 'delivered'],
      })
    }
  })

  it('have each attempt once, whatever state they are in', async () => {
    await record(t.em(), 'pending')
    expect(await record(t.em(), 'delivered')).toBeNull()
    expect(await places()).toEqual({ delivery: 'pending', attempts: ['pending'] })
    await cancel(t.em())
    expect(await record(t.em(), 'pending', 2)).not.toBeNull()
    expect(await record(t.em(), 'delivered', 2)).toBeNull()
    expect(await record(t.em(), 'failed', 1)).toBeNull()
    expect(await places()).toEqual({ delivery: 'failed', attempts: ['failed', 'failed'] })
  })

  it('are found in their partitions by the statements of the release before', async () => {
    await t.execute(
      `insert into webhook_attempt (delivery_id, number, started_at, duration_ms, timings)
       values (${id}, 1, now(), 1, '{}') on conflict do nothing`,
    )
    await t.execute(
      `update webhook_delivery set status = 'delivered', attempt_count = 1, completed_at = now() where id = ${id}`,
    )
    expect(await places()).toEqual({ delivery: 'delivered', attempts: ['delivered'] })
  })
})

/** Runs `second` while the transaction of `first` is open and has the row that it waits for. */
async function collide<T>(
  first: (em: EntityManager) => Promise<unknown>,
  second: (em: EntityManager) => Promise<T>,
): Promise<T> {
  let waiting: Promise<T> | undefined
  await t.em().transactional(async (tx) => {
    await first(tx)
    waiting = second(t.em())
    waiting.catch(() => {})
    await waitFor('the second one', async () => {
      const rows = await t.execute(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    })
  })
  return waiting as Promise<T>
}

describe('the end of a delivery', () => {
  const delivered = (em: EntityManager) => record(em, 'delivered')
  const failed = (em: EntityManager) => record(em, 'failed')
  const inWork = (em: EntityManager) => record(em, 'pending')

  it.each([
    ['is not undone by a cancellation', delivered, cancel, 'delivered', 1],
    ['is not undone when its endpoint is disabled', delivered, disable, 'delivered', 1],
    ['is replaced by a success whose request was in flight', cancel, delivered, 'delivered', 1],
    ['keeps an attempt that fails after it', cancel, failed, 'failed', 1],
  ] as const)('%s', async (_, first, second, status, count) => {
    await collide<unknown>(first, second)
    const attempts = Array.from({ length: count }, () => status)
    expect(await places()).toEqual({ delivery: status, attempts })
  })

  it.each([
    ['two successes', delivered, delivered],
    ['a success and a failure', delivered, failed],
    ['a failure and a success', failed, delivered],
    ['a failure that is repeated and a success', inWork, delivered],
  ] as const)('records one of %s of the same number', async (_, first, second) => {
    const before = (await t.endpoint(endpointId)).failureCount
    expect(await collide<Standing | null>(first, second)).toBeNull()
    expect((await places()).attempts).toHaveLength(1)
    const after = (await t.endpoint(endpointId)).failureCount
    expect(after).toBe(first === delivered ? 0 : before + 1)
  })

  it('lets a retry create another delivery', async () => {
    const made = await collide(delivered, retry)
    expect(made).not.toBe(id)
    expect(await t.delivery(made)).toMatchObject({ status: 'pending', retryOf: id })
  })

  it.each([
    ['ends', delivered],
    ['gets an attempt', inWork],
  ])('leaves nothing when the delivery is deleted while it %s', async (_, first) => {
    await collide(first, remove)
    expect(await places()).toEqual({ delivery: undefined, attempts: [] })
  })
})
