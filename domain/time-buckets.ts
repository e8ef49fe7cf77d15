const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Ranges of time up to now, and what their counts are counted by. */
const RANGES = {
  '24h': { interval: 'hour', count: 24 },
  '7d': { interval: 'day', count: 7 },
  '30d': { interval: 'day', count: 30 },
  '90d': { interval: 'day', count: 90 },
} as const

export type TimeRange = keyof typeof RANGES

type BucketInterval = (typeof RANGES)[TimeRange]['interval']

export const TIME_RANGES = ['24h', '7d', '30d', '90d'] as const satisfies readonly TimeRange[]

/** The buckets of a range: their starts in milliseconds, in order. The last one contains now. */
export interface TimeBuckets {
  interval: BucketInterval
  startsMs: number[]
}

/** True for the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

/**
 * Returns the hours or days of a range in a time zone. A day has 23 to 25 hours where clocks change. Throws
 * RangeError for an unknown zone.
 */
export function bucketsOf(range: TimeRange, timeZone: string, nowMs: number): TimeBuckets {
  const { interval, count } = RANGES[range]
  const offsetAt = zoneOffset(timeZone)
  const startOf = interval === 'hour' ? hourStart : dayStart
  const startsMs = [startOf(nowMs, offsetAt)]
  while (startsMs.length < count) startsMs.unshift(startOf((startsMs[0] ?? nowMs) - 1, offsetAt))
  return { interval, startsMs }
}

/** When a calendar day, such as 2026-11-21, begins in a time zone, in milliseconds. Throws RangeError for an unknown zone. */
export function startOfDay(day: string, timeZone: string): number {
  const offsetAt = zoneOffset(timeZone)
  const noon = Date.parse(`${day}T12:00:00Z`)
  return dayStart(noon - offsetAt(noon), offsetAt)
}

type OffsetAt = (timeMs: number) => number

/** Returns a function that gives the milliseconds by which the zone is ahead of UTC at a time. */
function zoneOffset(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  return (timeMs) => {
    const name = format.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName')?.value
    const [, sign, hours, minutes, seconds = 0] =
      /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name ?? '') ?? []
    const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
    return sign === undefined ? 0 : sign === '-' ? -ms : ms
  }
}

function hourStart(timeMs: number, offsetAt: OffsetAt): number {
  const offset = offsetAt(timeMs)
  return Math.floor((timeMs + offset) / HOUR_MS) * HOUR_MS - offset
}

/** The first instant of the day of a time. Clocks may skip midnight, or show it twice. */
function dayStart(timeMs: number, offsetAt: OffsetAt): number {
  const dayOf = (ms: number): number => Math.floor((ms + offsetAt(ms)) / DAY_MS)
  const day = dayOf(timeMs)
  const midnight = day * DAY_MS
  const start = midnight - offsetAt(midnight - offsetAt(timeMs))
  return dayOf(start - HOUR_MS) === day ? start - HOUR_MS : start
}
