import { z } from 'zod'
import { textFault, type TextRule } from '../domain/text-fault.ts'

interface TextOptions extends Pick<TextRule, 'maxLength' | 'mayBeEmpty'> {
  description?: string
  example?: string
}

/** Text that PostgreSQL can store, by the rule of `textFault`. */
export function text({ maxLength, mayBeEmpty = false, ...meta }: TextOptions) {
  return z
    .string()
    .superRefine((value, context) => {
      const message = textFault(value, { maxLength, mayBeEmpty })
      if (message !== null) context.addIssue({ code: 'custom', message })
    })
    .meta({ ...(mayBeEmpty ? {} : { minLength: 1 }), maxLength, ...meta })
}

const EARLIEST_MS = Date.UTC(1970, 0, 1)
const LATEST_MS = Date.UTC(9999, 0, 1)
const YEAR_RANGE = { message: 'must be in a year from 1970 to 9998' }
/** What the document says of these years, and of the rest of a day; the format says the rest. */
const DAY_PATTERN = String.raw`^(19[7-9]\d|[2-8]\d{3}|9[0-8]\d{2}|99[0-8]\d|999[0-8])-\d{2}-\d{2}`
const inYears = (description: string): string => `${description} In a year from 1970 to 9998.`
const isInRange = (ms: number): boolean => ms >= EARLIEST_MS && ms < LATEST_MS

/** A calendar day in a request, such as 2026-11-21, in a year that PostgreSQL can store. */
export const calendarDay = (description: string) =>
  z.iso
    .date()
    .refine((day) => isInRange(Date.parse(day)), YEAR_RANGE)
    .meta({
      description: inYears(description),
      pattern: `${DAY_PATTERN}$`,
      example: '2026-11-21',
    })

/** In a query, a `+` that is not encoded is a space, and times of responses have one. No other time has a space there. */
const UNENCODED_PLUS = / (?=\d\d:\d\d$)/

/** A time in a request, ISO 8601 with a UTC offset, in a year that PostgreSQL can store; parses to a Date. */
export const instant = (description: string) =>
  z
    .string()
    .overwrite((value) => value.replace(UNENCODED_PLUS, '+'))
    .pipe(z.iso.datetime({ offset: true }))
    .transform((value) => new Date(value))
    .refine((date) => isInRange(date.getTime()), YEAR_RANGE)
    .meta({
      type: 'string',
      format: 'date-time',
      pattern: DAY_PATTERN,
      description: inYears(description),
      example: '2026-11-21T09:30:00Z',
    })
