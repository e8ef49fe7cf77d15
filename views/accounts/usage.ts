import { z } from 'zod'
import type { DayUsage } from '../../db/accounts/usage.ts'
import type { Plan } from '../../db/entities/account.ts'
import { isInDangerZone, minutesOf, type PlanLimit, type Use } from '../../domain/accounts/plan.ts'
import { daysBetween } from '../../domain/timestamps.ts'
import { day } from '../values.ts'

const limit = z.int().nullable().meta({ description: "The plan's limit; null if unlimited." })

/** The usage object. */
export const usageSchema = z
  .strictObject({
    object: z.literal('usage'),
    start: day,
    end: day,
    storage: z.strictObject({
      used_bytes: z.int().meta({ description: 'Held by videos and their captions.' }),
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
  const { start, end, storage } = facts
  const range = totals(facts.days)
  const uses = planUses(facts)
  return {
    object: 'usage',
    start,
    end,
    storage: {
      used_bytes: storage.usedBytes,
      reserved_bytes: storage.reservedBytes,
      limit_bytes: uses.storage.limit,
    },
    bandwidth: {
      served_bytes: range.bandwidthBytes,
      month_served_bytes: uses.bandwidth.used,
      limit_bytes: uses.bandwidth.limit,
    },
    encoding: {
      minutes: minutesOf(range.encodedMs),
      month_minutes: uses.encoding.used,
      limit_minutes: uses.encoding.limit,
    },
    danger_zone: isInDangerZone(Object.values(uses)),
    days: everyDay(facts),
  }
}

/** How much of each limit of the plan is used. */
export function planUses({
  plan,
  storage,
  month,
}: Pick<UsageFacts, 'plan' | 'storage' | 'month'>): Record<PlanLimit, Use> {
  const { bandwidthBytes, encodedMs } = totals(month)
  const storedBytes = storage.usedBytes + storage.reservedBytes
  return {
    storage: { used: storedBytes, limit: plan?.storageLimitBytes ?? null },
    bandwidth: { used: bandwidthBytes, limit: plan?.bandwidthLimitBytes ?? null },
    encoding: { used: minutesOf(encodedMs), limit: plan?.encodingLimitMinutes ?? null },
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
