import { describe, expect, it } from 'vitest'
import { paidInvoice, subscriptionLine } from '../../test/fixtures/stripe.ts'
import { readPaidInvoice } from './read-paid-invoice.ts'

const DAY_SECONDS = 86_400
const read = (change: object = {}) => readPaidInvoice(paidInvoice(7, change))
const ofSubscription = (metadata: unknown) => ({
  parent: { subscription_details: { metadata } },
})
const withLines = (...data: object[]) => ({ lines: { data } })
const period = (days: number) => ({ period: { start: 0, end: days * DAY_SECONDS } })
const NAMED = { reelgate_account_id: '7', plan_type: 'pro' }

describe('a paid invoice', () => {
  it('becomes a payment of the paid amount, referenced by the id of the invoice', () => {
    expect(read({ amount_due: 9900 })).toEqual({
      payment: {
        accountId: 7,
        amount: 4900,
        currency: 'usd',
        planType: 'pro',
        billingCycle: 'monthly',
        reference: 'stripe:in_1',
      },
    })
  })

  it('uses the metadata of its subscription before that of the invoice', () => {
    const metadata = { reelgate_account_id: '8', plan_type: 'basic', billing_cycle: 'yearly' }
    expect(read({ metadata })).toMatchObject({
      payment: { accountId: 7, planType: 'pro', billingCycle: 'yearly' },
    })
    expect(read({ metadata, parent: null })).toMatchObject({
      payment: { accountId: 8, planType: 'basic' },
    })
  })

  it('is also read from an older version of the API', () => {
    const price = { id: 'price_1', recurring: { interval: 'year', interval_count: 1 } }
    const line = { amount: 4900, price, ...period(30) }
    const older = { parent: undefined, subscription_details: { metadata: NAMED } }
    expect(read({ ...older, ...withLines(line) })).toMatchObject({
      payment: { accountId: 7, planType: 'pro', billingCycle: 'yearly' },
    })
  })

  it.each([
    ['names no account', { plan_type: 'pro' }, 'account_not_named'],
    ['names an account in words', { ...NAMED, reelgate_account_id: 'anna' }, 'account_not_named'],
    ['names account 0', { ...NAMED, reelgate_account_id: '0' }, 'account_not_named'],
    ['names account 2^31', { ...NAMED, reelgate_account_id: '2147483648' }, 'account_not_named'],
    ['names an account as a number', { ...NAMED, reelgate_account_id: 7 }, 'account_not_named'],
    ['names no plan type', { reelgate_account_id: '7' }, 'plan_type_not_named'],
    ['names an empty plan type', { ...NAMED, plan_type: ' ' }, 'plan_type_not_named'],
    ['has NUL in its plan type', { ...NAMED, plan_type: 'p\0' }, 'plan_type_not_named'],
    [
      'has half a character in its plan type',
      { ...NAMED, plan_type: '\ud800' },
      'plan_type_not_named',
    ],
    ['has too long a plan type', { ...NAMED, plan_type: 'p'.repeat(256) }, 'plan_type_not_named'],
    ['has no metadata', null, 'account_not_named'],
    ['has text for metadata', 'reelgate_account_id', 'account_not_named'],
  ])('that %s is unusable', (_name, metadata, unusable) => {
    expect(read(ofSubscription(metadata))).toEqual({ reference: 'stripe:in_1', unusable })
  })

  it('is not a payment if its amount is zero, as for a trial', () => {
    const nothing = { reference: 'stripe:in_1', unusable: 'nothing_paid' }
    expect(read({ amount_paid: 0 })).toEqual(nothing)
  })

  it.each([
    ['an amount in words', { amount_paid: '4900' }],
    ['a negative amount', { amount_paid: -4900 }],
    ['a broken amount', { amount_paid: 49.5 }],
    ['an amount beyond safe integers', { amount_paid: 2 ** 53 }],
    ['no amount', { amount_paid: undefined }],
    ['no currency', { currency: null }],
    ['an invalid currency', { currency: 'US dollars' }],
    ['no id', { id: undefined }],
    ['an invalid id', { id: 'in_1\0' }],
  ])('with %s is refused', (_name, change) => {
    expect(() => read(change)).toThrow(expect.objectContaining({ code: 'invalid_payment' }))
  })

  it.each([null, 'invoice', 7, [], {}])('is refused if it is %j', (object) => {
    expect(() => readPaidInvoice(object)).toThrow(
      expect.objectContaining({ code: 'invalid_payment' }),
    )
  })
})

describe('the billing cycle', () => {
  const declared = (billing_cycle: string) => ofSubscription({ ...NAMED, billing_cycle })
  const priced = (interval: string, interval_count: number) =>
    subscriptionLine({
      pricing: { price_details: { price: { recurring: { interval, interval_count } } } },
    })
  const proration = { subscription_item_details: { proration: true } }
  const cycle = (change: object) => {
    const invoice = read(change)
    return 'payment' in invoice ? invoice.payment.billingCycle : invoice.unusable
  }

  it('is that of the price if Stripe sends it', () => {
    const lines = withLines(priced('year', 1))
    expect(cycle({ ...declared('monthly'), ...lines })).toBe('yearly')
  })

  it('is the declared one if the price is neither monthly nor yearly', () => {
    const lines = withLines(priced('week', 1))
    expect(cycle({ ...declared('monthly'), ...lines })).toBe('monthly')
  })

  it('is the declared one rather than the length of the period', () => {
    expect(cycle(declared('yearly'))).toBe('yearly')
  })

  it('follows from the paid period if the invoice and the metadata do not name it', () => {
    expect(cycle(withLines(subscriptionLine(period(365))))).toBe('yearly')
    expect(cycle(declared('each full moon'))).toBe('monthly')
  })

  it('follows only from lines paid in full, not from trials, prorations or fees', () => {
    const trial = subscriptionLine({ amount: 0, ...period(30) })
    const rest = subscriptionLine({ parent: proration, ...period(30) })
    const fee = subscriptionLine({ parent: { subscription_item_details: null }, ...period(30) })
    expect(cycle(withLines(trial, rest, fee, subscriptionLine(period(365))))).toBe('yearly')
    expect(cycle(withLines(trial, rest, fee))).toBe('billing_cycle_not_named')
  })

  it.each([
    ['no lines', { lines: null }],
    ['lines that are no list', { lines: 'none' }],
    ['an empty list of lines', withLines()],
    ['an invalid line', withLines({ amount: 'much' })],
    ['a quarter', withLines(subscriptionLine(period(91)))],
    ['a period that ends before it begins', withLines(subscriptionLine(period(-31)))],
  ])('is unknown for an invoice with %s, unless the metadata declare it', (_name, change) => {
    expect(cycle(change)).toBe('billing_cycle_not_named')
    expect(cycle({ ...change, ...declared('monthly') })).toBe('monthly')
  })
})
