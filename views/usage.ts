import { z } from 'zod'
import type { Plan } from '../db/entities/account.ts'
import type { DayUsage } from '../db/usage.ts'
import { isInDangerZone, minutesOf } from '../domain/plan.ts'
import { daysBetween } from '../domain/timestamps.ts'

const day = z.iso.date().meta({ description: 'A day in UTC.', example: '2026-11-21' })
const limit = z.int().nullable().meta({ description: "The plan's limit; null if unlimited." })

/** The usage object. */
export const usageSchema = z
  .strictObject({
    object: z.literal('usage'),
    start: day,
    end: day,
    storage: z.strictObject({
      used_bytes: z.int(),
      reserved_bytes: z.int().meta({ description: 'Reserved for videos that are being ingested.' }),
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
    danger_zone: z.boolean().meta({
      description: 'True when 90 % of a limit is used: of storage now, of the others this month.',
    }),
    days: z.array(
      z.strictObject({ date: day, served_bytes: z.int(), encoded_minutes: z.number() }),
    ),
  })
  .meta({ id: 'Usage' })

export interface UsageFacts {
  start: string
  end: string
  /** Null for an account without a plan, whose usage is not limited. */
  plan: Plan | null
  storage: { usedBytes: number; reservedBytes: number }
  /** Between start and end. */
  days: DayUsage[]
  /** The days of the current calendar month. */
  month: DayUsage[]
}

/** The usage object; days without usage are included, with zeros. */
export function usageView(facts: UsageFacts): z.output<typeof usageSchema> {
  const { start, end, plan, storage } = facts
  const range = totals(facts.days)
  const month = totals(facts.month)
  const limits = {
    storage: plan?.storageLimitBytes ?? null,
    bandwidth: plan?.bandwidthLimitBytes ?? null,
    encoding: plan?.encodingLimitMinutes ?? null,
  }
  return {
    object: 'usage',
    start,
    end,
    storage: {
      used_bytes: storage.usedBytes,
      reserved_bytes: storage.reservedBytes,
      limit_bytes: limits.storage,
    },
    bandwidth: {
      served_bytes: range.bandwidthBytes,
      month_served_bytes: month.bandwidthBytes,
      limit_bytes: limits.bandwidth,
    },
    encoding: {
      minutes: minutesOf(range.encodedMs),
      month_minutes: minutesOf(month.encodedMs),
      limit_minutes: limits.encoding,
    },
    danger_zone: isInDangerZone([
      { used: storage.usedBytes + storage.reservedBytes, limit: limits.storage },
      { used: month.bandwidthBytes, limit: limits.bandwidth },
      { used: minutesOf(month.encodedMs), limit: limits.encoding },
    ]),
    days: everyDay(facts),
  }
}

function everyDay({ start, end, days }: UsageFacts) {
  const byDay = new Map(days.map((one) => [one.day, one]))
  return daysBetween(start, end).map((date) => ({
    date,
    served_bytes: byDay.get(date)?.bandwidthBytes ?? 0,
    encoded_minutes: minutesOf(byDay.get(date)?.encodedMs ?? 0),
  }))
}

const totals = (days: DayUsage[]) => ({
  bandwidthBytes: days.reduce((sum, { bandwidthBytes }) => sum + bandwidthBytes, 0),
  encodedMs: days.reduce((sum, { encodedMs }) => sum + encodedMs, 0),
})
