/** Formats a time as in every response: ISO 8601 with a UTC offset (contract, "Video status"). */
export const isoUtc = (date: Date): string => date.toISOString().replace('Z', '+00:00')

const DAY_MS = 86_400_000

/** Returns the calendar day of a time in UTC, such as `2026-11-21`. */
export const utcDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10)

/** Returns the first day of the calendar month of `day`. */
export const monthStart = (day: string): string => `${day.slice(0, 8)}01`

/** Returns the day so many days later; earlier, if the number is negative. */
export const addDays = (day: string, days: number): string =>
  utcDay(Date.parse(day) + days * DAY_MS)

/** Counts the days from `start` to `end`, both included. */
export const countDays = (start: string, end: string): number =>
  (Date.parse(end) - Date.parse(start)) / DAY_MS + 1

/** Lists the days from `start` to `end`, both included, in order. */
export function daysBetween(start: string, end: string): string[] {
  const days: string[] = []
  for (let timeMs = Date.parse(start); timeMs <= Date.parse(end); timeMs += DAY_MS)
    days.push(utcDay(timeMs))
  return days
}
