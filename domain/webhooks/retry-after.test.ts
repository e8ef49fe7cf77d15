import { describe, expect, it } from 'vitest'
import { readRetryAfterMs } from './retry-after.ts'

const NOW = 'Sat, 28 Nov 2026 12:00:00 GMT'
const nowMs = Date.parse(NOW)
const read = (value: string | string[], headers: object = {}, status = 503) =>
  readRetryAfterMs({ status, headers: { 'retry-after': value, ...headers } }, nowMs)

describe('Retry-After', () => {
  it('of a 429 or 503 is a number of seconds', () => {
    expect([429, 503].map((status) => read('120', {}, status))).toEqual([120_000, 120_000])
    expect(read('0')).toBe(0)
  })

  it('is a date by the clock of the receiver, or by ours if it sends none', () => {
    expect(read('Sat, 28 Nov 2026 12:05:00 GMT')).toBe(300_000)
    expect(read('Sat, 28 Nov 2026 12:05:00 GMT', { date: 'Sat, 28 Nov 2026 12:04:00 GMT' })).toBe(
      60_000,
    )
    expect(read('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0)
  })

  it('is ignored with another status, and if it is neither', () => {
    for (const status of [200, 301, 500, 502]) expect(read('120', {}, status)).toBeNull()
    for (const value of ['', '-1', '1.5', '1e3', 'soon', '2026-11-28', ['1', '2']])
      expect(read(value)).toBeNull()
    expect(readRetryAfterMs({ status: 503, headers: {} }, nowMs)).toBeNull()
  })
})
