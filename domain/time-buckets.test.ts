import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketsOf, isTimeZone, startOfDay, TIME_RANGES } from './time-buckets.ts'

const HOUR_MS = 3_600_000
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  // Midnight is skipped in spring, or comes twice in autumn.
  'Africa/Cairo',
  'America/Havana',
  'Pacific/Apia',
]

const isoStarts = (...facts: Parameters<typeof bucketsOf>): string[] =>
  bucketsOf(...facts).startsMs.map((ms) => new Date(ms).toISOString())

const localDay = (ms: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(ms)

describe('the buckets of a range', () => {
  it('are the hours up to now, also where an hour begins at a quarter', () => {
    const starts = isoStarts('24h', 'Asia/Kathmandu', Date.parse('2026-11-22T14:05:00Z'))
    expect(starts).toHaveLength(24)
    expect(starts.at(-1)).toBe('2026-11-22T13:15:00.000Z')
    expect(starts.at(0)).toBe('2026-11-21T14:15:00.000Z')
  })

  it('are days of 23 and 25 hours where clocks change', () => {
    const spring = isoStarts('7d', 'Europe/Berlin', Date.parse('2026-03-30T12:00:00Z'))
    expect(spring.slice(-3)).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
  })

  it('begin where the day of the zone begins, in every zone and at any time', () => {
    const nowMs = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2035, 0) })
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), nowMs, (zone, now) => {
        const { startsMs } = bucketsOf('30d', zone, now)
        const days = startsMs.map((ms) => localDay(ms, zone))
        expect(days.at(-1)).toBe(localDay(now, zone))
        expect(new Set(days).size).toBe(30)
        for (const ms of startsMs) expect(localDay(ms - 1, zone)).not.toBe(localDay(ms, zone))
      }),
      { numRuns: 50 },
    )
  }, 30_000)

  it('contain now in the last one', () => {
    const now = Date.parse('2026-06-01T10:30:00Z')
    for (const range of TIME_RANGES) {
      const { startsMs, interval } = bucketsOf(range, 'America/Havana', now)
      const lastMs = startsMs.at(-1) ?? 0
      expect(lastMs).toBeLessThanOrEqual(now)
      expect(now - lastMs).toBeLessThan(interval === 'hour' ? HOUR_MS : 25 * HOUR_MS)
    }
  })
})

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'])('is known: %s', (name) => {
    expect(isTimeZone(name)).toBe(true)
  })

  it.each(['', 'Mars/Olympus', "UTC'; drop table video", '\0'])('is unknown: %j', (name) => {
    expect(isTimeZone(name)).toBe(false)
  })
})

describe('the start of a day', () => {
  const startOf = (day: string, zone: string) => new Date(startOfDay(day, zone)).toISOString()

  it('is midnight in the zone, or the first time of the day where clocks skip midnight', () => {
    expect(startOf('2026-11-21', 'UTC')).toBe('2026-11-21T00:00:00.000Z')
    expect(startOf('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z')
    expect(startOf('2026-03-30', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z')
    expect(startOf('2026-04-24', 'Africa/Cairo')).toBe('2026-04-23T22:00:00.000Z')
  })

  it('is in that day, and the millisecond before it is not, in every zone', () => {
    const days = fc.integer({ min: 0, max: 15_000 }).map((day) => day * 24 * HOUR_MS)
    fc.assert(
      fc.property(days, fc.constantFrom(...ZONES), (ms, zone) => {
        const day = new Date(Date.UTC(1990, 0) + ms).toISOString().slice(0, 10)
        // A zone may skip a whole day.
        if (day === '2011-12-30' && zone === 'Pacific/Apia') return
        const start = startOfDay(day, zone)
        expect(localDay(start, zone)).toBe(day)
        expect(localDay(start - 1, zone) < day).toBe(true)
      }),
    )
  })
})
