import { addDays, countDays, daysBetween, monthStart, utcDay } from '../timestamps.ts'

/** By what a series is counted. */
export const INTERVALS = ['hour', 'day', 'month'] as const

export type Interval = (typeof INTERVALS)[number]

/** Days in UTC, such as `2026-11-21`, both included. */
export interface DayRange {
  from: string
  to: string
}

/** The longest range. */
export const AUDIENCE_DAYS_MAX = 1_100
/** The longest range with hours. */
export const AUDIENCE_HOUR_DAYS_MAX = 35
/** The days of a range without `from`. */
export const AUDIENCE_DAYS_DEFAULT = 28

/** Returns the first day of a range without one: 28 days with the last one. */
export const defaultFrom = (to: string): string => addDays(to, 1 - AUDIENCE_DAYS_DEFAULT)

/** Returns so many days, the last of which is that of a time. */
export function lastDays(timeMs: number, count: number): DayRange {
  const to = utcDay(timeMs)
  return { from: addDays(to, 1 - count), to }
}

/** Returns the range of the same length before another one. */
export function rangeBefore(from: string, to: string): DayRange {
  const days = countDays(from, to)
  return { from: addDays(from, -days), to: addDays(from, -1) }
}

/**
 * Returns the whole months of a range: the first day of the first one, and of the month after the last one. There is none if `before` is
 * not after `from`.
 */
export function wholeMonths({ from, to }: DayRange): { from: string; before: string } {
  const first = monthStart(from)
  return { from: first === from ? first : monthAfter(from), before: monthStart(addDays(to, 1)) }
}

/** Returns the days of a range that are in none of these whole months of it, which are in order. */
export function daysBesideMonths({ from, to }: DayRange, months: readonly string[]): DayRange[] {
  const days: DayRange[] = []
  let start = from
  for (const month of months) {
    if (month > start) days.push({ from: start, to: addDays(month, -1) })
    start = monthAfter(month)
  }
  if (start <= to) days.push({ from: start, to })
  return days
}

/** Returns a range by its months, the first and the last of which may be parts of months. */
export function monthsOfRange({ from, to }: DayRange): DayRange[] {
  const months: DayRange[] = []
  for (let start = from; start <= to; start = monthAfter(start)) {
    const last = addDays(monthAfter(start), -1)
    months.push({ from: start, to: last < to ? last : to })
  }
  return months
}

/** Returns the first day of the month after that of a day. */
export function monthAfter(day: string): string {
  const at = new Date(day)
  return utcDay(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}

/** Returns the starts of the intervals of a range, in order: a day, an hour such as `2026-11-21T09`, or a month's first day. */
export function startsOf(from: string, to: string, interval: Interval): string[] {
  const days = daysBetween(from, to)
  if (interval === 'day') return days
  if (interval === 'month') return [...new Set(days.map(monthStart))]
  return days.flatMap((day) =>
    Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}`),
  )
}
