import type { z } from 'zod'
import type { Plan } from '../../db/entities/account.ts'
import { isPlanActive } from '../../domain/plan.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import type { planSchema } from './schemas.ts'

/** The plan object as it stands at `now`. */
export const planView = (plan: Plan, now: Date): z.output<typeof planSchema> => ({
  object: 'plan',
  protection: plan.protection,
  is_active: isPlanActive(plan, now),
  ends_at: plan.endsAt && isoUtc(plan.endsAt),
  storage_limit_bytes: plan.storageLimitBytes,
  bandwidth_limit_bytes: plan.bandwidthLimitBytes,
  encoding_limit_minutes: plan.encodingLimitMinutes,
  updated_at: isoUtc(plan.updatedAt),
})
