import { z } from 'zod'
import { DESCRIPTION_MAX_LENGTH, TITLE_MAX_LENGTH } from '../../domain/limits.ts'
import { text } from '../text.ts'

/** Body of POST /v1/videos. The link's own rules, its length too, are the egress guard's. */
export const createVideoBody = z.strictObject({
  source_url: z.string(),
  title: text(TITLE_MAX_LENGTH)
    .refine((value) => value.trim() !== '', { message: 'must not be empty' })
    .optional(),
  description: text(DESCRIPTION_MAX_LENGTH).optional(),
  folder_id: z.int().optional(),
})

export type CreateVideoBody = z.output<typeof createVideoBody>
