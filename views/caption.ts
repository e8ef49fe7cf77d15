import { z } from 'zod'
import type { CaptionFacts } from '../db/captions.ts'
import type { Caption } from '../db/entities/annotation.ts'
import { isoUtc } from '../domain/timestamps.ts'
import { listOf } from './list.ts'
import { timestamp } from './values.ts'

const facts = {
  object: z.literal('caption'),
  language_code: z.string().meta({ description: 'BCP 47, in its canonical case.' }),
  label: z.string(),
  size_bytes: z.int(),
  created_at: timestamp('When the caption was added.'),
  updated_at: timestamp('When its text was last replaced.'),
}

/** The caption object, without its text (contract, "Caption"). */
export const captionSchema = z.strictObject(facts).meta({ id: 'Caption' })

/** The caption object with its text, as GET of one caption returns it. */
export const captionWithContentSchema = z
  .strictObject({ ...facts, content: z.string().meta({ description: 'The WebVTT text.' }) })
  .meta({ id: 'CaptionWithContent' })

export const captionListSchema = listOf(captionSchema).meta({ id: 'CaptionList' })

export const deletedCaptionSchema = z
  .strictObject({
    object: z.literal('caption'),
    language_code: z.string(),
    deleted: z.literal(true),
  })
  .meta({ id: 'DeletedCaption' })

/** The caption object, without its text. */
export const captionView = (caption: CaptionFacts): z.output<typeof captionSchema> => ({
  object: 'caption',
  language_code: caption.languageCode,
  label: caption.label,
  size_bytes: caption.sizeBytes,
  created_at: isoUtc(caption.createdAt),
  updated_at: isoUtc(caption.updatedAt),
})

/** The caption object with its text. */
export const captionWithContentView = (
  caption: Caption,
): z.output<typeof captionWithContentSchema> => ({
  ...captionView(caption),
  content: caption.content,
})
