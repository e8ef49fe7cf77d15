import { z } from 'zod'
import type { Plan } from '../db/entities/account.ts'
import { PROTECTIONS, isPlanActive } from '../domain/plan.ts'
import { isoUtc } from '../domain/timestamps.ts'
import { isoUtcOrNull, timestamp } from './values.ts'

export const protection = z
  .enum(PROTECTIONS)
  .meta({ description: 'How the videos of the account are encrypted.' })

const limit = (what: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `${what}; null if unlimited.` })

/** The plan object (contract, "Other records"). */
export const planSchema = z
  .strictObject({
    object: z.literal('plan'),
    protection,
    is_active: z.boolean().meta({ description: 'Whether new videos are accepted.' }),
    ends_at: timestamp('When the plan ends; existing videos continue to play.').nullable(),
    storage_limit_bytes: limit('Bytes that may be stored'),
    bandwidth_limit_bytes: limit('Bytes that may be served in a calendar month'),
    encoding_limit_minutes: limit('Minutes that may be encoded in a calendar month'),
    updated_at: timestamp('When the plan was last changed.'),
  })
  .meta({ id: 'Plan' })

/** The plan object at `now`. */
export const planView = (plan: Plan, now: Date): z.output<typeof planSchema> => ({
  object: 'plan',
  protection: plan.protection,
  is_active: isPlanActive(plan, now),
  ends_at: isoUtcOrNull(plan.endsAt),
  storage_limit_bytes: plan.storageLimitBytes,
  bandwidth_limit_bytes: plan.bandwidthLimitBytes,
  encoding_limit_minutes: plan.encodingLimitMinutes,
  updated_at: isoUtc(plan.updatedAt),
})
