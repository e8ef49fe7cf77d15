import { dayOfHour, type HourDelta } from './fold-sessions.ts'
import { addTotals, noTotals, type Totals } from './totals.ts'

/** A viewer's first play of a day: of a video, or of all videos of an account (`ALL_VIDEOS`). */
export interface FirstPlay {
  accountId: number
  videoId: string
  /** Since 1970. */
  day: number
  viewerId: string
}

/** What is added to a day. */
export interface DayDelta {
  accountId: number
  videoId: string
  /** Since 1970. */
  day: number
  totals: Totals
  /** How many viewers have had their first play of the day. */
  viewerDays: number
}

/** How many viewers a day has had more than before: of a video, or of all videos of an account. */
export interface MoreViewers extends Omit<FirstPlay, 'viewerId'> {
  viewers: number
}

/** Adds up hours and viewers by day. */
export function daysOf(
  hours: readonly HourDelta[],
  moreViewers: readonly MoreViewers[],
): DayDelta[] {
  const days = new Map<string, DayDelta>()
  const dayAt = (accountId: number, videoId: string, day: number): DayDelta => {
    const key = `${accountId} ${videoId} ${day}`
    const found = days.get(key) ?? { accountId, videoId, day, totals: noTotals(), viewerDays: 0 }
    days.set(key, found)
    return found
  }
  for (const { accountId, videoId, hour, totals } of hours)
    addTotals(dayAt(accountId, videoId, dayOfHour(hour)).totals, totals)
  for (const { accountId, videoId, day, viewers } of moreViewers)
    dayAt(accountId, videoId, day).viewerDays += viewers
  return [...days.values()]
}
