import { z } from 'zod'
import { CAPTION_MAX_BYTES, LABEL_MAX_LENGTH } from '../../domain/limits.ts'
import { languageTag } from '../language-tag.ts'
import type { PathParameter } from '../operation.ts'
import { text } from '../text.ts'

/** Body of POST /v1/videos/{id}/captions (contract, "Caption"). */
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
