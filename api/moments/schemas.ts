import { z } from 'zod'
import { LABEL_MAX_LENGTH } from '../../domain/limits.ts'
import { seconds } from '../chapters/schemas.ts'
import { rowIdParameter } from '../list.ts'
import { text } from '../text.ts'

/** Body of POST /v1/videos/{id}/moments (contract, "Moment"). */
export const createMomentBody = z.strictObject({
  label: text({ maxLength: LABEL_MAX_LENGTH, example: 'The goal' }),
  timestamp: seconds.meta({ description: 'Seconds; unique in the video.', example: 61 }),
})

export const momentIdParameter = rowIdParameter('moment_not_found')
