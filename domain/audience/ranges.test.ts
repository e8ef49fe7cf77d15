import { describe, expect, it } from 'vitest'
import { lastDays, rangeBefore } from './ranges.ts'

describe('the last days', () => {
  it('end with the one in UTC that a time is on', () => {
    const week = { from: '2026-02-26', to: '2026-03-04' }
    for (const time of ['2026-03-04T23:59:59Z', '2026-03-05T01:30:00+02:00', '2026-03-04T00:00Z'])
      expect(lastDays(Date.parse(time), 7)).toEqual(week)
    expect(rangeBefore(week.from, week.to)).toEqual({ from: '2026-02-19', to: '2026-02-25' })
    expect(lastDays(Date.parse('2026-03-04T12:00Z'), 1)).toEqual({
      from: '2026-03-04',
      to: '2026-03-04',
    })
  })
})
