import { z } from 'zod'
import { PROTECTIONS } from '../../domain/plan.ts'
import { timestamp } from '../text.ts'

export const protection = z
  .enum(PROTECTIONS)
  .meta({ description: 'How the videos of the account are encrypted.' })

const limit = (what: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `${what}; null: not limited.` })

/** The plan object (spec, "Other records"; design, section 7). */
export const planSchema = z
  .strictObject({
    object: z.literal('plan'),
    protection,
    is_active: z.boolean().meta({ description: 'Whether new videos are accepted.' }),
    ends_at: timestamp('When the plan ends; what is there goes on playing.').nullable(),
    storage_limit_bytes: limit('Bytes that may be stored'),
    bandwidth_limit_bytes: limit('Bytes that may be served in a calendar month'),
    encoding_limit_minutes: limit('Minutes that may be encoded in a calendar month'),
    updated_at: timestamp('When the plan was changed last.'),
  })
  .meta({ id: 'Plan' })
