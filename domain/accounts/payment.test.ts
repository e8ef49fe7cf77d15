import { describe, expect, it } from 'vitest'
import { cycleOfInterval, cycleOfPeriod, isCurrency, isPaymentAmount } from './payment.ts'

describe('the billing cycle of a price', () => {
  it.each([
    ['month', 1, 'monthly'],
    ['year', 1, 'yearly'],
    ['month', 12, 'yearly'],
    ['month', 3, null],
    ['year', 2, null],
    ['week', 4, null],
    ['day', 30, null],
  ])('with the interval %s and the count %i is %s', (interval, count, cycle) => {
    expect(cycleOfInterval(interval, count)).toBe(cycle)
  })
})

describe('the billing cycle of a paid period', () => {
  const seconds = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000

  it.each([
    ['February', '2027-01-31', '2027-02-28', 'monthly'],
    ['the shortest month', '2027-02-01', '2027-03-01', 'monthly'],
    ['the longest month', '2027-07-01', '2027-08-01', 'monthly'],
    [
      'a month with a change to daylight saving time',
      '2027-03-01T00:00:00+01:00',
      '2027-04-01',
      'monthly',
    ],
    ['a year', '2027-02-01', '2028-02-01', 'yearly'],
    ['a leap year', '2028-02-01', '2029-02-01', 'yearly'],
    ['a week', '2027-02-01', '2027-02-08', null],
    ['a quarter', '2027-01-01', '2027-04-01', null],
    ['half a year', '2027-01-01', '2027-07-01', null],
    ['zero length', '2027-01-01', '2027-01-01', null],
  ])('of %s follows from its length', (_name, from, to, cycle) => {
    expect(cycleOfPeriod(seconds(from, to))).toBe(cycle)
  })
})

describe('a payment amount', () => {
  it.each([1, 4900, Number.MAX_SAFE_INTEGER])('of %i is valid', (amount) => {
    expect(isPaymentAmount(amount)).toBe(true)
  })

  it.each([0, -1, 0.5, Number.MAX_SAFE_INTEGER + 1, NaN, Infinity])(
    'of %d is invalid',
    (amount) => {
      expect(isPaymentAmount(amount)).toBe(false)
    },
  )
})

describe('a currency code', () => {
  it.each([
    ['usd', true],
    ['USD', false],
    ['us', false],
    ['usdx', false],
    ['u d', false],
    ['usd\n', false],
  ])('%j is valid: %s', (text, expected) => {
    expect(isCurrency(text)).toBe(expected)
  })
})
