import { z } from 'zod'
import type { Moment } from '../db/entities/annotation.ts'
import { isoUtc } from '../domain/timestamps.ts'
import { deletedSchema, listOf } from './list.ts'
import { rowId, timestamp } from './values.ts'

/** The moment object (contract, "Moment"). */
export const momentSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('moment'),
    label: z.string(),
    timestamp: z.int(),
    created_at: timestamp('When the moment was created.'),
  })
  .meta({ id: 'Moment' })

export const momentListSchema = listOf(momentSchema).meta({ id: 'MomentList' })
export const deletedMomentSchema = deletedSchema('moment', rowId).meta({ id: 'DeletedMoment' })

/** The moment object. */
export const momentView = (moment: Moment): z.output<typeof momentSchema> => ({
  id: moment.id,
  object: 'moment',
  label: moment.label,
  timestamp: moment.timestampSeconds,
  created_at: isoUtc(moment.createdAt),
})
