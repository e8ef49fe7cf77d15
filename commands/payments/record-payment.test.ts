import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { setUpCommandFixture } from '../../test/fixtures/commands.ts'
import { recordPayment } from './record-payment.ts'

const t = setUpCommandFixture()
const REPEATS = 20

const paid = (change: object = {}) => ({
  accountId: t.accountId,
  amount: 4900,
  currency: 'usd',
  planType: 'pro',
  billingCycle: 'monthly' as const,
  reference: 'stripe:in_1',
  ...change,
})
const payments = () => t.execute('select * from payment order by id')

describe('a payment', () => {
  it('is recorded and announced with its own id', async () => {
    const endpointId = await t.addEndpoint(['payment.paid'])
    const result = await recordPayment(t.em(), paid())
    const [row] = await payments()
    expect(result).toMatchObject({ outcome: 'recorded', payment: { id: row?.id, amount: 4900 } })
    const { events, deliveries } = await t.appended()
    expect(events).toMatchObject([
      {
        type: 'payment.paid',
        data: {
          id: row?.id,
          object: 'payment',
          amount: 4900,
          plan_type: 'pro',
          billing_cycle: 'monthly',
        },
      },
    ])
    expect(Object.keys(events[0]?.data as object)).toHaveLength(5)
    expect(deliveries.map((delivery) => delivery.endpoint_id)).toEqual([endpointId])
  })

  it('keeps an amount beyond 32 bits exactly', async () => {
    const amount = Number.MAX_SAFE_INTEGER
    await recordPayment(t.em(), paid({ amount }))
    expect((await t.appended()).events[0]?.data).toMatchObject({ amount })
    expect(await payments()).toMatchObject([{ amount }])
  })

  it('that is repeated, even with other values, changes and announces nothing', async () => {
    await recordPayment(t.em(), paid())
    const again = paid({ amount: 1, accountId: t.otherAccountId })
    expect(await recordPayment(t.em(), again)).toMatchObject({
      outcome: 'repeated',
      payment: { amount: 4900, accountId: t.accountId },
    })
    expect(await payments()).toHaveLength(1)
    expect((await t.appended()).events).toHaveLength(1)
  })

  it('is recorded once for twenty concurrent calls', async () => {
    await t.addEndpoint(['payment.paid'])
    const results = await Promise.all(
      Array.from({ length: REPEATS }, () => recordPayment(t.em(), paid())),
    )
    const outcomes = results.map(({ outcome }) => outcome)
    expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(REPEATS - 1)
    expect(await payments()).toHaveLength(1)
    expect(await t.appended()).toMatchObject({ events: [{}], deliveries: [{}], commands: [{}] })
    expect((await t.appended()).events).toHaveLength(1)
  })

  it('that is rolled back leaves nothing, and can be recorded afterwards', async () => {
    await t.addEndpoint(['payment.paid'])
    const work = t.em().transactional(async (tx) => {
      await recordPayment(tx, paid())
      throw new Error('the caller failed')
    })
    await expect(work).rejects.toThrow('the caller failed')
    expect(await payments()).toEqual([])
    expect(await t.appended()).toEqual({ events: [], deliveries: [], commands: [] })
    expect(await recordPayment(t.em(), paid())).toMatchObject({ outcome: 'recorded' })
    expect((await t.appended()).events).toHaveLength(1)
  })

  it('is recorded if another of its reference, for which it waited, is rolled back', async () => {
    const other = new pg.Client({ connectionString: t.databaseUrl })
    await other.connect()
    await other.query('begin')
    await other.query(
      `insert into payment (account_id, amount, currency, plan_type, billing_cycle, reference)
       values ($1, 1, 'usd', 'pro', 'monthly', 'stripe:in_1')`,
      [t.accountId],
    )
    const waiting = recordPayment(t.em(), paid())
    await other.query('select pg_sleep(0.2)')
    await other.query('rollback')
    await other.end()
    expect(await waiting).toMatchObject({ outcome: 'recorded', payment: { amount: 4900 } })
    expect((await t.appended()).events).toHaveLength(1)
  })

  it('of an account that does not exist is not recorded', async () => {
    const result = await recordPayment(t.em(), paid({ accountId: 999_999 }))
    expect(result).toEqual({ outcome: 'unknown_account' })
    expect(await payments()).toEqual([])
    expect((await t.appended()).events).toEqual([])
  })
})
