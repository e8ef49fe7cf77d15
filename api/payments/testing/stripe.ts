import Stripe from 'stripe'
import { Payment } from '../../../db/entities/payment.ts'
import { STRIPE_WEBHOOK_SECRET } from '../../testing/api-world.ts'
import type { ApiWorld } from '../../testing/api-world.ts'

const MONTH_SECONDS = 31 * 86_400
const START = Date.parse('2026-12-01T00:00:00Z') / 1000

/** A line of a subscription as API version 2026-10-28.endive sends it: of its price the id alone. */
export const subscriptionLine = (change: object = {}) => ({
  id: 'il_1',
  object: 'line_item',
  amount: 4900,
  currency: 'usd',
  metadata: {},
  parent: {
    type: 'subscription_item_details',
    invoice_item_details: null,
    subscription_item_details: {
      proration: false,
      subscription: 'sub_1',
      subscription_item: 'si_1',
    },
  },
  period: { start: START, end: START + MONTH_SECONDS },
  pricing: {
    type: 'price_details',
    price_details: { price: 'price_1', product: 'prod_1' },
    unit_amount_decimal: '4900',
  },
  ...change,
})

/** The paid invoice of a subscription that names `accountId`, with `change` over it. */
export const paidInvoice = (accountId: number, change: object = {}) => ({
  id: 'in_1',
  object: 'invoice',
  amount_due: 4900,
  amount_paid: 4900,
  billing_reason: 'subscription_cycle',
  currency: 'usd',
  customer_email: 'anna@example.com',
  livemode: true,
  metadata: {},
  parent: {
    type: 'subscription_details',
    quote_details: null,
    subscription_details: {
      subscription: 'sub_1',
      metadata: { reelgate_account_id: String(accountId), plan_type: 'pro' },
    },
  },
  status: 'paid',
  lines: { object: 'list', data: [subscriptionLine()], has_more: false, total_count: 1 },
  ...change,
})

/** The text of Stripe's event around an object. */
export const eventText = (object: unknown, change: object = {}): string =>
  JSON.stringify({
    id: 'evt_1',
    object: 'event',
    api_version: '2026-10-28.endive',
    created: START,
    data: { object },
    livemode: true,
    pending_webhooks: 1,
    type: 'invoice.paid',
    ...change,
  })

/** The header that Stripe would send with it; a timestamp is in seconds. */
export const signature = (
  payload: string,
  options: { secret?: string; timestamp?: number } = {},
): string =>
  Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: STRIPE_WEBHOOK_SECRET,
    ...options,
  })

/** What Stripe does to the API of `t`, and what is there afterwards. */
export function stripeOf(t: ApiWorld) {
  const post = (
    raw: string | Buffer,
    header: string | null,
    headers: Record<string, string> = {},
  ) =>
    t.call('POST', '/stripe/webhook', {
      key: null,
      raw,
      headers: { ...(header === null ? {} : { 'Stripe-Signature': header }), ...headers },
    })
  const send = (text: string) => post(text, signature(text))
  return {
    post,
    send,
    sendInvoice: (change: object = {}) => send(eventText(paidInvoice(t.ours.id, change))),
    payments: () => t.db.em.fork().find(Payment, {}),
    events: async () => {
      const sql = `select account_id, body from event where type = 'payment.paid'`
      const rows = await t.db.em.fork().execute<{ account_id: number; body: string }[]>(sql)
      return rows.map((row) => ({ accountId: row.account_id, data: JSON.parse(row.body).data }))
    },
    forget: () => t.db.em.fork().execute('truncate payment, event cascade'),
  }
}
