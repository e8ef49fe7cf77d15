import { z } from 'zod'
import {
  DESCRIPTION_MAX_LENGTH,
  FILENAME_MAX_LENGTH,
  TITLE_MAX_LENGTH,
  UPLOAD_EXPIRES_DEFAULT_SECONDS,
  UPLOAD_EXPIRES_MAX_SECONDS,
  UPLOAD_EXPIRES_MIN_SECONDS,
} from '../../domain/limits.ts'
import { text } from '../../http/text.ts'
import { externalId, metadata, tags } from '../videos/schemas.ts'

/** Scheme, host and port as browsers send them in `Origin`. */
const origin = z
  .string()
  .refine((value) => URL.parse(value)?.origin === value && /^https?:/.test(value), {
    message: 'must be an origin such as https://site.example.com, without a path',
  })
  .meta({ example: 'https://site.example.com' })

/** Body of POST /v1/uploads. The command checks the size against the plan. */
export const createUploadBody = z.strictObject({
  filename: text({ maxLength: FILENAME_MAX_LENGTH, example: 'lesson-1.mp4' }),
  size_bytes: z.int().min(0).nullable().meta({
    description: 'The size of the file; null for one that grows while it is sent.',
    example: 104_857_600,
  }),
  title: text({ maxLength: TITLE_MAX_LENGTH })
    .optional()
    .meta({ description: 'Defaults to the name of the file without its extension.' }),
  description: text({ maxLength: DESCRIPTION_MAX_LENGTH, mayBeEmpty: true }).optional(),
  folder_id: z.int().meta({ format: 'int64', minimum: 1, example: 7 }).nullable().optional(),
  external_id: externalId.optional(),
  tags: tags.optional(),
  metadata: metadata.optional(),
  keep_original: z.boolean().optional().meta({
    description:
      'Whether the file stays after the video is ready. Defaults to the setting of the account.',
  }),
  expires_in_seconds: z
    .int()
    .min(UPLOAD_EXPIRES_MIN_SECONDS)
    .max(UPLOAD_EXPIRES_MAX_SECONDS)
    .default(UPLOAD_EXPIRES_DEFAULT_SECONDS)
    .meta({ description: 'How long after the last byte an unfinished upload expires.' }),
  allowed_origin: origin.nullable().optional().meta({
    description: 'The site whose pages may send the file. Null or omitted for every site.',
  }),
})
