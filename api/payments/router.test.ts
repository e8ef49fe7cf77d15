import type { AddressInfo } from 'node:net'
import express from 'express'
import pg from 'pg'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorHandler } from '../../http/middleware/error-handler.ts'
import { Bodies } from '../../processes/bodies/read-body.ts'
import { setUpApiFixture, STRIPE_WEBHOOK_SECRET } from '../../test/fixtures/api.ts'
import { eventText, paidInvoice, signature, stripeOf } from '../../test/fixtures/stripe.ts'
import { paymentsRouter } from './router.ts'

const t = setUpApiFixture()
const { send, sendInvoice, payments, events, forget } = stripeOf(t)
const REPEATS = 20

beforeEach(forget)

describe('POST /stripe/webhook', () => {
  it('records one payment and one payment.paid for a paid invoice, without an API key', async () => {
    const response = await sendInvoice()
    expect(response).toMatchObject({ status: 200, json: { received: true } })
    const [payment] = await payments()
    expect(payment).toMatchObject({
      accountId: t.ours.id,
      amount: 4900,
      currency: 'usd',
      planType: 'pro',
      billingCycle: 'monthly',
      reference: 'stripe:in_1',
    })
    const data = { object: 'payment', amount: 4900, plan_type: 'pro', billing_cycle: 'monthly' }
    expect(await events()).toEqual([{ accountId: t.ours.id, data: { id: payment?.id, ...data } }])
  })

  it('records one payment for twenty concurrent repeats, and responds to all of them', async () => {
    const responses = await Promise.all(Array.from({ length: REPEATS }, () => sendInvoice()))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await payments()).toHaveLength(1)
    expect(await events()).toHaveLength(1)
  })

  it('records nothing for the same invoice under another event id', async () => {
    const invoice = paidInvoice(t.ours.id)
    await send(eventText(invoice))
    await send(eventText(invoice, { id: 'evt_2' }))
    expect(await payments()).toHaveLength(1)
    await sendInvoice({ id: 'in_2' })
    expect(await events()).toHaveLength(2)
  })

  it('accepts unused event types, and records nothing', async () => {
    const invoice = paidInvoice(t.ours.id)
    for (const type of ['invoice.finalized', 'invoice.payment_failed', 'customer.created']) {
      const response = await send(eventText(invoice, { type }))
      expect(response).toMatchObject({ status: 200, json: { received: true } })
    }
    expect(await payments()).toEqual([])
  })

  it.each([
    ['of amount 0', { amount_paid: 0 }],
    ['without metadata', { parent: null, metadata: null }],
    ['of an unknown account', { parent: null, metadata: metadataOf('999999') }],
    ['of an invalid account', { parent: null, metadata: metadataOf("1' or '1'='1") }],
  ])('responds to a paid invoice %s, and records nothing', async (_name, change) => {
    expect(await sendInvoice(change)).toMatchObject({ status: 200, json: { received: true } })
    expect(await payments()).toEqual([])
    expect(await events()).toEqual([])
  })

  it('records nothing if the transaction fails, and the payment at the repeat', async () => {
    const operator = new pg.Client({ connectionString: databaseUrl() })
    await operator.connect()
    // The payment is inserted and its event waits: the transaction fails here.
    await operator.query('begin; lock table event in exclusive mode')
    const dying = sendInvoice()
    await terminateWaiting(operator)
    await operator.query('rollback')
    await operator.end()
    expect((await dying).status).toBeGreaterThanOrEqual(500)
    expect(await payments()).toEqual([])
    expect((await sendInvoice()).status).toBe(200)
    expect(await payments()).toHaveLength(1)
    expect(await events()).toHaveLength(1)
  })
})

describe('the route', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('refuses %s', async (method) => {
    const response = await t.call(method, '/stripe/webhook', { key: null })
    expect(response).toMatchObject({ status: 405, code: 'method_not_allowed' })
    expect(response.headers.get('allow')).toBe('POST')
  })

  it('does not exist if Stripe is not connected', async () => {
    const text = eventText(paidInvoice(t.ours.id))
    const { status } = await alone({ stripeWebhookSecret: null }, text)
    expect(status).toBe(404)
    expect(await payments()).toEqual([])
  })

  it('logs which invoice it skipped and why, without the payer', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    const text = eventText(paidInvoice(999_999))
    await alone({ logger }, text)
    await alone({ logger }, text.replace('plan_type', 'plan'))
    await alone({ logger }, `${text} `, signature(text))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, reference: 'stripe:in_1', reason: 'unknown_account' },
      { level: 40, reference: 'stripe:in_1', reason: 'plan_type_not_named' },
    ])
    expect(lines.join('')).not.toMatch(/anna|whsec_|v1=|999999/)
  })
})

function metadataOf(accountId: string) {
  return { reelgate_account_id: accountId, plan_type: 'pro' }
}

/** Sends one notification to a separate app with other dependencies. */
async function alone(
  change: Partial<Parameters<typeof paymentsRouter>[0]>,
  text: string,
  header = signature(text),
): Promise<Response> {
  const logger = pino({ level: 'silent' })
  const deps = {
    db: t.db,
    bodies: new Bodies(),
    logger,
    stripeWebhookSecret: STRIPE_WEBHOOK_SECRET,
    ...change,
  }
  const app = express()
  app.use(paymentsRouter(deps), errorHandler({ ...deps, apiBase: 'https://api.example' }))
  const server = app.listen(0)
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stripe/webhook`
  const response = await fetch(url, {
    method: 'POST',
    body: text,
    headers: { 'Stripe-Signature': header },
  })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return response
}

/** Ends the first connection that waits for a lock, which rolls its transaction back. */
async function terminateWaiting(operator: pg.Client): Promise<void> {
  const sql = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  while ((await operator.query(sql)).rowCount === 0) await operator.query('select pg_sleep(0.02)')
}

function databaseUrl(): string {
  return t.db.config.get('clientUrl') ?? ''
}
