import { addDays, countDays, monthStart, utcDay } from '../../../../domain/timestamps.ts'
import type { Days } from '../../api/audience.ts'

const YEAR_MONTHS = 12

/** Returns the days before or after some days, as many up to today; null if they have not begun. */
export function stepRange(days: Days, step: 1 | -1, today: string): Days | null {
  const moved = areMonths(days) ? movedByMonths(days, step) : movedByDays(days, step)
  if (moved.from > today) return null
  return { from: moved.from, to: moved.to < today ? moved.to : today }
}

function movedByDays({ from, to }: Days, step: number): Days {
  const days = step * countDays(from, to)
  return { from: addDays(from, days), to: addDays(to, days) }
}

/** True from the first day of a month to the last day of one. */
const areMonths = ({ from, to }: Days): boolean =>
  from === monthStart(from) && addDays(to, 1) === monthStart(addDays(to, 1))

const monthNumber = (day: string): number =>
  Number(day.slice(0, 4)) * YEAR_MONTHS + Number(day.slice(5, 7)) - 1

const firstDayOf = (month: number): string =>
  utcDay(Date.UTC(Math.floor(month / YEAR_MONTHS), month % YEAR_MONTHS))

function movedByMonths({ from, to }: Days, step: number): Days {
  const [first, end] = [monthNumber(from), monthNumber(to) + 1]
  const months = step * (end - first)
  return { from: firstDayOf(first + months), to: addDays(firstDayOf(end + months), -1) }
}
