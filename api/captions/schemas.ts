import { z } from 'zod'
import type { ErrorCode } from '../../domain/error-codes.ts'
import { canonicalLanguage, LANGUAGE_TAG, LANGUAGE_TAG_RULE } from '../../domain/language-tag.ts'
import { CAPTION_MAX_BYTES, LABEL_MAX_LENGTH } from '../../domain/limits.ts'
import type { PathParameter } from '../../http/operation.ts'
import { text } from '../../http/text.ts'

const LANGUAGE_TAG_MAX_LENGTH = 35
const CAPTION_FIELDS = 3

/** A BCP 47 language tag in any case; parses to its canonical form, so `PT-br` and `pt-BR` are equal. */
export const languageTag = z
  .string()
  .max(LANGUAGE_TAG_MAX_LENGTH)
  .regex(LANGUAGE_TAG, LANGUAGE_TAG_RULE)
  .transform((tag, context) => {
    const canonical = canonicalLanguage(tag)
    if (canonical !== null) return canonical
    context.addIssue(LANGUAGE_TAG_RULE)
    return z.NEVER
  })
  .meta({ description: 'BCP 47 language tag.', example: 'pt-BR' })

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
  // One of the two with the other fields, in a form that generators of clients do not take for a choice of two types.
  .meta({
    description: 'Exactly one of content and source_url.',
    minProperties: CAPTION_FIELDS,
    maxProperties: CAPTION_FIELDS,
  })

/** `{language_code}` of a path. */
export const languageParameter: PathParameter<string> = {
  schema: languageTag,
  notFound: 'caption_not_found',
}

/** Why a caption cannot be written, besides the rules of its fields. */
export const WRITE_CAPTION_ERRORS: ErrorCode[] = [
  'invalid_caption',
  'invalid_source_url',
  'source_not_allowed',
  'source_unreachable',
  'source_too_large',
  'too_many_redirects',
  'too_many_captions',
  'insufficient_storage',
]
