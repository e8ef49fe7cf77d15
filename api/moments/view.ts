import type { z } from 'zod'
import type { Moment } from '../../db/entities/annotation.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import type { momentSchema } from './schemas.ts'

/** The moment object. */
export const momentView = (moment: Moment): z.output<typeof momentSchema> => ({
  id: moment.id,
  object: 'moment',
  label: moment.label,
  timestamp: moment.timestampSeconds,
  created_at: isoUtc(moment.createdAt),
})
