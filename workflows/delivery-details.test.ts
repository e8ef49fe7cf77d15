import { describe, expect, it } from 'vitest'
import { responseText, waitText } from './delivery-details.ts'

describe('the description of a response', () => {
  it.each([
    [{ responseStatus: 204, errorCode: null }, 'Attempt 2: HTTP 204 after 120 ms'],
    [{ responseStatus: 503, errorCode: 'http_error' }, 'Attempt 2: HTTP 503 after 120 ms'],
    [
      { responseStatus: 302, errorCode: 'redirect_not_followed' },
      'Attempt 2: HTTP 302, redirect_not_followed after 120 ms',
    ],
    [{ responseStatus: 200, errorCode: 'timeout' }, 'Attempt 2: HTTP 200, timeout after 120 ms'],
    [{ responseStatus: null, errorCode: 'tls_error' }, 'Attempt 2: tls_error after 120 ms'],
  ] as const)('of %j is "%s"', (response, text) => {
    expect(responseText({ attempt: 2, durationMs: 120, ...response })).toBe(text)
  })
})

describe('the description of a wait', () => {
  it.each([
    [1, '1 s'],
    [37_400, '38 s'],
    [60_000, '1 min'],
    [61_000, '1 min'],
    [300_000, '5 min'],
    [1_800_000, '30 min'],
    [3_599_000, '1 h'],
    [7_200_000, '2 h'],
    [6_000_000, '1 h 40 min'],
  ])('%i ms is %s', (waitMs, text) => {
    expect(waitText(waitMs)).toBe(text)
  })
})
