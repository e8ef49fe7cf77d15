import { DANGER_ZONE_SHARE } from './limits.ts'

/** What is used of one limit of a plan, in the limit's unit. */
export interface Use {
  used: number
  /** Null: not limited. */
  limit: number | null
}

/** True from 90 % of any limit on (design, section 7). */
export const isInDangerZone = (uses: Use[]): boolean =>
  uses.some(({ used, limit }) => limit !== null && used >= limit * DANGER_ZONE_SHARE)

const DAY_MS = 86_400_000

/** The calendar day of a time in UTC, such as `2026-11-21`. */
export const utcDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10)

/** The first day of the calendar month that holds `day`. */
export const monthStart = (day: string): string => `${day.slice(0, 8)}01`

/** How many days there are from `start` to `end`, both included. */
export const countDays = (start: string, end: string): number =>
  (Date.parse(end) - Date.parse(start)) / DAY_MS + 1

/** Every day from `start` to `end`, both included, in order. */
export function daysBetween(start: string, end: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(start); at <= Date.parse(end); at += DAY_MS) days.push(utcDay(at))
  return days
}

/** Encoded time as the minutes that a plan counts: to the hundredth. */
export const minutesOf = (ms: number): number => Math.round(ms / 600) / 100
