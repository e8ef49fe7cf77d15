import { z } from 'zod'
import { CAPTION_MAX_BYTES, LABEL_MAX_LENGTH } from '../../domain/limits.ts'
import { languageTag } from '../language-tag.ts'
import { listOf } from '../list.ts'
import type { PathParameter } from '../operation.ts'
import { text, timestamp } from '../text.ts'

/** Body of POST /v1/videos/{id}/captions (spec, "Caption"). */
export const createCaptionBody = z
  .strictObject({
    language_code: languageTag,
    label: text({ maxLength: LABEL_MAX_LENGTH, example: 'English' }),
    content: z
      .string()
      .refine((value) => value.isWellFormed(), { message: 'must be well-formed text' })
      .optional()
      .meta({
        description: `WebVTT, at most ${CAPTION_MAX_BYTES} bytes. SRT is not accepted.`,
        example: 'WEBVTT\n\n00:00.000 --> 00:02.000\nHello.',
      }),
    source_url: z
      .string()
      .optional()
      .meta({ description: 'Instead of content: an https link to a WebVTT file.' }),
  })
  .refine((body) => (body.content === undefined) !== (body.source_url === undefined), {
    path: ['content'],
    message: 'must be given, or `source_url` instead, and not both',
  })

/** `{language_code}` of a path; whatever is no language has no caption. */
export const languageParameter: PathParameter<string> = {
  schema: languageTag,
  notFound: 'caption_not_found',
}

const facts = {
  object: z.literal('caption'),
  language_code: z.string().meta({ description: 'BCP 47, in its canonical case.' }),
  label: z.string(),
  size_bytes: z.int(),
  created_at: timestamp('When the language was added.'),
  updated_at: timestamp('When its track was replaced last.'),
}

/** The caption object, without its text. */
export const captionSchema = z.strictObject(facts).meta({ id: 'Caption' })

/** The same with its text, as GET of one caption gives it. */
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
