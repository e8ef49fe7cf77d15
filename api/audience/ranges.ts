import {
  AUDIENCE_DAYS_DEFAULT,
  AUDIENCE_DAYS_MAX,
  AUDIENCE_HOUR_DAYS_MAX,
  defaultFrom,
  type Interval,
} from '../../domain/audience/ranges.ts'
import { countDays, utcDay } from '../../domain/timestamps.ts'
import { ApiError } from '../../http/api-error.ts'
import { calendarDay } from '../../http/text.ts'

/** The range in a query; defaults to 28 days up to today. */
export const rangeQuery = {
  from: calendarDay(
    `First day in UTC, at most ${AUDIENCE_DAYS_MAX} days with \`to\`. Defaults to ${AUDIENCE_DAYS_DEFAULT} days up to \`to\`.`,
  ).optional(),
  to: calendarDay('Last day, inclusive. Defaults to today.').optional(),
}

/** Returns the range of a query. Throws 422 `invalid_parameter` for one that is empty or too long for its interval. */
export function rangeOf(
  query: { from?: string | undefined; to?: string | undefined },
  interval: Interval = 'day',
): { from: string; to: string } {
  const to = query.to ?? utcDay(Date.now())
  const from = query.from ?? defaultFrom(to)
  const wrong = (message: string) =>
    new ApiError('invalid_parameter', { param: 'from', message: `\`from\` ${message}.` })
  if (from > to) throw wrong('must not be later than `to`')
  const max = interval === 'hour' ? AUDIENCE_HOUR_DAYS_MAX : AUDIENCE_DAYS_MAX
  if (countDays(from, to) > max)
    throw wrong(`must be less than ${max} days before \`to\` with the interval \`${interval}\``)
  return { from, to }
}
