import { z } from 'zod'
import { calendarDay } from '../text.ts'

const day = calendarDay('A day in UTC.')

/** Query of GET /v1/usage: the current month up to today where it is left out. */
export const usageQuery = z.strictObject({
  start: day.optional().meta({ description: 'First day; the first of the month of end.' }),
  end: day.optional().meta({ description: 'Last day, included; today.' }),
})

const limit = z.int().nullable().meta({ description: "The plan's limit; null: not limited." })

/** The usage object (design, section 7). */
export const usageSchema = z
  .strictObject({
    object: z.literal('usage'),
    start: day,
    end: day,
    storage: z.strictObject({
      used_bytes: z.int(),
      reserved_bytes: z.int().meta({ description: 'Held back for videos on their way.' }),
      limit_bytes: limit,
    }),
    bandwidth: z.strictObject({
      served_bytes: z.int().meta({ description: 'Between start and end.' }),
      month_served_bytes: z.int().meta({ description: 'In the current calendar month.' }),
      limit_bytes: limit,
    }),
    encoding: z.strictObject({
      minutes: z.number().meta({ description: 'Between start and end.' }),
      month_minutes: z.number().meta({ description: 'In the current calendar month.' }),
      limit_minutes: limit,
    }),
    danger_zone: z
      .boolean()
      .meta({ description: 'True from 90 % of any limit on: storage now, the others this month.' }),
    days: z.array(
      z.strictObject({ date: day, served_bytes: z.int(), encoded_minutes: z.number() }),
    ),
  })
  .meta({ id: 'Usage' })
