import { z } from 'zod'
import { BUCKET_NAME, isHttpsOrigin } from '../../domain/imports/video-import.ts'
import {
  DESCRIPTION_MAX_LENGTH,
  IMPORT_AT_ONCE_DEFAULT,
  IMPORT_AT_ONCE_MAX,
  IMPORT_LINES_MAX,
  TITLE_MAX_LENGTH,
  URL_MAX_LENGTH,
} from '../../domain/limits.ts'
import { text } from '../../http/text.ts'
import { externalId, metadata, tags } from '../videos/schemas.ts'

const OBJECT_KEY_MAX_LENGTH = 1024
const REGION_MAX_LENGTH = 64
const ACCESS_MAX_LENGTH = 2048
/** Temporary credentials of AWS usually have less. */
const SESSION_TOKEN_MAX_LENGTH = 4096

/** A video to be made from a link, or from an object of a bucket. */
const importLine = z.strictObject({
  source_url: text({
    maxLength: URL_MAX_LENGTH,
    description:
      'Public https link to the file, on port 443 or 8443. It may be signed for GET only. Lines wait for their turn: let it be valid long enough.',
    example: 'https://files.example.com/video.mp4',
  }).optional(),
  key: text({
    maxLength: OBJECT_KEY_MAX_LENGTH,
    description: 'Instead of source_url: an object of `bucket`.',
    example: 'lessons/1.mp4',
  }).optional(),
  title: text({ maxLength: TITLE_MAX_LENGTH })
    .optional()
    .meta({ description: 'Defaults to the file name in the link.' }),
  description: text({ maxLength: DESCRIPTION_MAX_LENGTH, mayBeEmpty: true }).optional(),
  folder_id: z.int().meta({ format: 'int64', minimum: 1, example: 7 }).nullable().optional(),
  external_id: externalId.optional().meta({
    description:
      'Your own id. A line whose id a video of the account has already is left out, so an import can be repeated.',
  }),
  tags: tags.optional(),
  metadata: metadata.optional(),
  keep_original: z.boolean().optional().meta({
    description:
      'Whether the file stays after the video is ready. Defaults to the setting of the account.',
  }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 digits of lower-case hex')
    .optional()
    .meta({ description: 'The SHA-256 that the file must have; another file fails the video.' }),
})

export type ImportLineBody = z.output<typeof importLine>

/** The bucket of objects that lines name. */
const bucket = z
  .strictObject({
    endpoint: z
      .string()
      .refine(isHttpsOrigin, {
        message: 'must be the https address of an S3 service, without a path',
      })
      .meta({ example: 'https://s3.eu-central-1.amazonaws.com' }),
    region: text({ maxLength: REGION_MAX_LENGTH, example: 'eu-central-1' }),
    name: z
      .string()
      .regex(BUCKET_NAME, 'must be the name of a bucket')
      .meta({ example: 'lessons' }),
    access_key_id: text({ maxLength: ACCESS_MAX_LENGTH }),
    secret_access_key: text({ maxLength: ACCESS_MAX_LENGTH }),
    session_token: text({ maxLength: SESSION_TOKEN_MAX_LENGTH }).optional(),
  })
  .meta({
    id: 'NewImportBucket',
    description:
      'Where the objects are that `key` names. What opens it is stored sealed, signs requests to the bucket alone, and is removed when every line is settled.',
  })

export type BucketBody = z.output<typeof bucket>

/** Body of POST /v1/imports. */
export const createImportBody = z
  .strictObject({
    lines: z
      .array(importLine.meta({ id: 'NewImportLine' }))
      .min(1)
      .max(IMPORT_LINES_MAX),
    bucket: bucket.optional(),
    at_once: z.int().min(1).max(IMPORT_AT_ONCE_MAX).default(IMPORT_AT_ONCE_DEFAULT).meta({
      description: 'How many of the videos are made at the same time.',
    }),
  })
  .superRefine(({ lines, bucket: given }, context) => {
    for (const [index, { source_url: link, key }] of lines.entries()) {
      const path = ['lines', index, 'source_url']
      if ((link === undefined) === (key === undefined))
        context.addIssue({
          code: 'custom',
          path,
          message: 'must be given, or `key` instead, and not both',
        })
      if (key !== undefined && given === undefined)
        context.addIssue({
          code: 'custom',
          path: ['bucket'],
          message: 'must be given for a line with `key`',
        })
    }
  })
