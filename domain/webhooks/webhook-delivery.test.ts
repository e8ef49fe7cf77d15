import { describe, expect, it } from 'vitest'
import { delayAfterAttemptMs, DELIVERY_ATTEMPTS, mustDisableEndpoint } from './webhook-delivery.ts'

describe('the retry schedule', () => {
  it('attempts a delivery five times', () => {
    expect(DELIVERY_ATTEMPTS).toBe(5)
  })

  it.each([
    [1, 60_000],
    [2, 300_000],
    [3, 1_800_000],
    [4, 7_200_000],
    [5, null],
  ])('after failed attempt %i waits %s ms', (number, delayMs) => {
    expect(delayAfterAttemptMs(number, null)).toBe(delayMs)
  })

  it.each([
    [1, 30_000, 60_000],
    [1, 3_600_000, 3_600_000],
    [4, 3_600_000, 7_200_000],
    [2, 86_400_000, 7_200_000],
    [5, 60_000, null],
  ])(
    'after failed attempt %i whose receiver asks for %s ms waits %s ms: never less than the schedule, at most two hours',
    (number, retryAfterMs, delayMs) => {
      expect(delayAfterAttemptMs(number, retryAfterMs)).toBe(delayMs)
    },
  )
})

describe('disabling an endpoint', () => {
  const day = 86_400_000
  it.each([
    { failureCount: 1, sinceLastSuccessMs: 0, responseStatus: 410, off: true },
    { failureCount: 100, sinceLastSuccessMs: 5 * day, responseStatus: 500, off: true },
    { failureCount: 99, sinceLastSuccessMs: 9 * day, responseStatus: 500, off: false },
    { failureCount: 500, sinceLastSuccessMs: 5 * day - 1, responseStatus: null, off: false },
  ])(
    'holds at $failureCount in a row, $sinceLastSuccessMs ms, status $responseStatus: $off',
    (row) => {
      expect(mustDisableEndpoint(row)).toBe(row.off)
    },
  )
})
