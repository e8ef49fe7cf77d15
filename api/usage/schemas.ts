import { z } from 'zod'
import { calendarDay } from '../text.ts'

const day = calendarDay('A day in UTC.')

/** Query of GET /v1/usage: the current month up to today where it is left out. */
export const usageQuery = z.strictObject({
  start: day.optional().meta({ description: 'First day; the first of the month of end.' }),
  end: day.optional().meta({ description: 'Last day, included; today.' }),
})
