import { describe, expect, it } from 'vitest'
import { insertPayment } from '../../../db/accounts/write-payments.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'

const t = setUpDashboardFixture()

const pay = (accountId: number, reference: string) =>
  insertPayment(t.em(), {
    accountId,
    amount: 4900,
    currency: 'usd',
    planType: 'pro',
    billingCycle: 'monthly',
    reference,
  })

interface Payments {
  data: { id: number; reference: string }[]
  has_more: boolean
}

const list = async (query = ''): Promise<Payments> =>
  (await t.call('reader', 'GET', `/payments${query}`)).json as unknown as Payments

describe('GET /payments', () => {
  it('lists the payments of the account in pages, newest first', async () => {
    for (const reference of ['one', 'two', 'three']) await pay(t.accountId, reference)
    await pay(t.otherAccountId, 'foreign')
    const first = await list('?limit=2')
    expect(first.data.map(({ reference }) => reference)).toEqual(['three', 'two'])
    expect(first.has_more).toBe(true)
    const rest = await list(`?starting_after=${first.data.at(-1)?.id}`)
    expect(rest.data).toEqual([
      {
        id: expect.any(Number),
        object: 'payment',
        account_id: t.accountId,
        amount: 4900,
        currency: 'usd',
        plan_type: 'pro',
        billing_cycle: 'monthly',
        reference: 'one',
        created_at: expect.any(String),
      },
    ])
    const [foreign] = await t.execute<{ id: number }>(
      `select id from payment where reference = 'foreign'`,
    )
    expect((await list(`?limit=2&starting_after=${foreign?.id}`)).data).toEqual(first.data)
    expect((await list(`?ending_before=${foreign?.id}`)).data).toEqual([])
  })
})
