import { describe, expect, it } from '@jest/globals'
import { answerText } from './webhook-answer-text.ts'

describe('the answer of an attempt in words', () => {
  it.each([
    [{ responseStatus: 204, errorCode: null }, 'Attempt 2: HTTP 204 after 120 ms'],
    [{ responseStatus: 503, errorCode: 'http_error' }, 'Attempt 2: HTTP 503 after 120 ms'],
    [
      { responseStatus: 302, errorCode: 'redirect_not_followed' },
      'Attempt 2: HTTP 302, redirect_not_followed after 120 ms',
    ],
    [{ responseStatus: 200, errorCode: 'timeout' }, 'Attempt 2: HTTP 200, timeout after 120 ms'],
    [{ responseStatus: null, errorCode: 'tls_error' }, 'Attempt 2: tls_error after 120 ms'],
  ] as const)('of %j is "%s"', (answer, text) => {
    expect(answerText({ attempt: 2, durationMs: 120, ...answer })).toBe(text)
  })
})
