import { MockActivityEnvironment } from '@temporalio/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAllPartitions } from '../../activities/upkeep/keep-partitions.ts'
import { retryDelivery } from '../../commands/webhooks/retry-delivery.ts'
import { addPastWeeks } from '../../test/fixtures/past-weeks.ts'
import { openWebhookFixture, type WebhookFixture } from '../../test/fixtures/webhooks.ts'
import { findDelivery, listDeliveries, type DeliveryFilter } from './webhook-deliveries.ts'
import { failDelivery, recordAttempt } from './write-deliveries.ts'

type Status = 'pending' | 'delivered' | 'failed'

interface Model {
  id: number
  event: number
  endpointId: number
  status: Status
  attempts: number
  /** Whole days since its end. */
  ageDays: number
  retryOf: number | null
}

const KEPT_DAYS = { pending: Infinity, delivered: 30, failed: 90 }
const isKept = ({ status, ageDays }: Model): boolean => ageDays < KEPT_DAYS[status]

let t: WebhookFixture
const endpoints: number[] = []
const model = new Map<number, Model>()

beforeAll(async () => {
  t = await openWebhookFixture()
  for (const path of ['one', 'two'])
    endpoints.push((await t.addEndpoint(`https://hooks.example.com/${path}`)).id)
  await addPastWeeks(t.databaseUrl, 22)
})
afterAll(() => t.close())

async function add(endpoint: number): Promise<void> {
  const endpointId = endpoints[endpoint % endpoints.length] ?? 0
  const { deliveryId: id } = await t.announceTo(endpointId)
  const fresh = { status: 'pending', attempts: 0, ageDays: 0, retryOf: null } as const
  model.set(id, { id, event: id, endpointId, ...fresh })
}

async function attempt(one: Model, status: Status): Promise<void> {
  const isSuccess = status === 'delivered'
  await recordAttempt(t.em(), {
    deliveryId: one.id,
    endpointId: one.endpointId,
    number: one.attempts + 1,
    trigger: 'schedule',
    startedAt: new Date(),
    durationMs: 1,
    responseStatus: isSuccess ? 200 : 500,
    errorCode: isSuccess ? null : 'http_error',
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
  one.attempts += 1
  if (one.status === 'pending') one.status = status
  else if (one.status === 'failed' && isSuccess) Object.assign(one, { status, ageDays: 0 })
}

async function cancel(one: Model): Promise<void> {
  await failDelivery(t.em(), one.id, 'cancelled')
  if (one.status === 'pending') one.status = 'failed'
}

async function retry(one: Model): Promise<void> {
  const id = await t.em().transactional((tx) => retryDelivery(tx, t.accountId, one.id))
  const pending = [...model.values()].find(
    ({ event, status }) => event === one.event && status === 'pending',
  )
  if (pending) return expect(id).toBe(pending.id)
  const fresh = { status: 'pending', attempts: 0, ageDays: 0, retryOf: one.id } as const
  model.set(id, { ...one, id, ...fresh })
}

/** As if the delivery had ended earlier. */
async function age(one: Model, days: number): Promise<void> {
  if (one.status === 'pending') return
  const earlier = (column: string) => `${column} = ${column} - interval '${days} days'`
  await t.execute(`update webhook_delivery set ${earlier('completed_at')} where id = ${one.id}`)
  await t.execute(
    `update webhook_attempt set ${earlier('delivery_completed_at')} where delivery_id = ${one.id}`,
  )
  one.ageDays += days
}

const keep = () => new MockActivityEnvironment().run(() => keepAllPartitions({ db: t.db }))

async function readAll(filter: Partial<DeliveryFilter>) {
  const rows: { id: number; attempts: number; retryOf: number | null }[] = []
  for (let hasMore = true; hasMore;) {
    const request = { limit: 4, startingAfter: rows.at(-1)?.id }
    const page = await listDeliveries(t.em(), { accountId: t.accountId, ...filter }, {}, request)
    for (const { delivery, attempts } of page.rows)
      rows.push({ id: delivery.id, attempts: attempts.length, retryOf: delivery.retryOf })
    hasMore = page.hasMore
  }
  return rows
}

/** Compares the lists and the single deliveries with the model. */
async function compare(): Promise<void> {
  const kept = [...model.values()].filter(isKept).toSorted((a, b) => b.id - a.id)
  const isThere = new Set(kept.map(({ id }) => id))
  const original = (id: number | null) => (id !== null && isThere.has(id) ? id : null)
  const shown = (these: Model[]) =>
    these.map(({ id, attempts, retryOf }) => ({ id, attempts, retryOf: original(retryOf) }))
  expect(await readAll({})).toEqual(shown(kept))
  for (const status of ['pending', 'delivered', 'failed'] as const)
    expect(await readAll({ status })).toEqual(shown(kept.filter((one) => one.status === status)))
  for (const endpointId of endpoints)
    expect(await readAll({ endpointId })).toEqual(
      shown(kept.filter((one) => one.endpointId === endpointId)),
    )
  for (const { id } of model.values())
    expect((await findDelivery(t.em(), t.accountId, id)) !== null).toBe(isThere.has(id))
}

const pick = fc.nat(1000)
const change = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), pick }),
  fc.record({
    kind: fc.constant('attempt' as const),
    pick,
    status: fc.constantFrom<Status>('pending', 'delivered', 'failed'),
  }),
  fc.record({ kind: fc.constant('cancel' as const), pick }),
  fc.record({ kind: fc.constant('retry' as const), pick }),
  fc.record({ kind: fc.constant('age' as const), pick, days: fc.integer({ min: 1, max: 70 }) }),
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

async function apply(one: Change): Promise<void> {
  const kept = [...model.values()].filter(isKept)
  const chosen = kept[one.pick % kept.length]
  if (one.kind === 'add' || !chosen) return add(one.pick)
  if (one.kind === 'attempt') return attempt(chosen, one.status)
  if (one.kind === 'cancel') return cancel(chosen)
  if (one.kind === 'retry') return retry(chosen)
  return age(chosen, one.days)
}

it('lists and finds the deliveries that are kept, after any order of attempts, retries, ends and drops', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 20, maxLength: 30 }), async (changes) => {
      for (const one of changes) await apply(one)
      await compare()
      await keep()
      await compare()
    }),
    // The rows of a run stay for the next one; a shorter sequence would begin with others.
    { numRuns: 3, endOnFailure: true },
  )
}, 120_000)
