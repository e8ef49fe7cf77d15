import { z } from 'zod'
import { LABEL_MAX_LENGTH } from '../../domain/limits.ts'
import { seconds } from '../chapters/schemas.ts'
import { deletedSchema, listOf, rowId, rowIdParameter } from '../list.ts'
import { text, timestamp } from '../text.ts'

/** Body of POST /v1/videos/{id}/moments (spec, "Moment"). */
export const createMomentBody = z.strictObject({
  label: text({ maxLength: LABEL_MAX_LENGTH, example: 'The goal' }),
  timestamp: seconds.meta({ description: 'Seconds; unique in the video.', example: 61 }),
})

export const momentIdParameter = rowIdParameter('moment_not_found')

/** The moment object. */
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
