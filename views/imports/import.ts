import { z } from 'zod'
import type { VideoImportLine } from '../../db/entities/video-import.ts'
import type { ImportDetails } from '../../db/imports/video-imports.ts'
import { IMPORT_LINE_STATES, IMPORT_STATES } from '../../domain/imports/video-import.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { listSchema } from '../list.ts'
import { isoUtcOrNull, rowId, timestamp } from '../values.ts'
import { videoId } from '../videos/video.ts'

const count = z.int().min(0)

const importState = z.enum(IMPORT_STATES).meta({ id: 'ImportState' })

export const importLineState = z.enum(IMPORT_LINE_STATES).meta({
  id: 'ImportLineState',
  description:
    '`waiting` for its turn; `started`: its video is being made; `ready` or `failed` as its video is, or because it cannot be made; `exists`: a video of the account, or an upload that becomes one, has its external id already; `cancelled` with the import.',
})

const bucketSchema = z
  .strictObject({ endpoint: z.string(), region: z.string(), name: z.string() })
  .meta({ id: 'ImportBucket' })

/** The import object. */
export const importSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('import'),
    state: importState.meta({ description: 'completed: every line is settled.' }),
    at_once: z.int().min(1).meta({ description: 'How many videos are made at the same time.' }),
    line_count: z.int().min(1),
    bucket: bucketSchema
      .nullable()
      .meta({ description: 'Where its objects are; null for an import of links.' }),
    lines: z
      .strictObject({
        waiting: count,
        started: count,
        ready: count,
        failed: count,
        exists: count,
        cancelled: count,
      })
      .meta({ description: 'The lines by state.' }),
    created_at: timestamp('When it was requested.'),
    completed_at: timestamp('When it was completed or cancelled.').nullable(),
  })
  .meta({ id: 'Import' })

export const importListSchema = listSchema(importSchema).meta({ id: 'ImportList' })

/** The import object. */
export const importView = ({
  import: row,
  counts,
}: ImportDetails): z.output<typeof importSchema> => ({
  id: row.id,
  object: 'import',
  state: row.state,
  at_once: row.atOnce,
  line_count: row.lineCount,
  bucket: row.bucket,
  lines: {
    waiting: counts.waiting ?? 0,
    started: counts.started ?? 0,
    ready: counts.ready ?? 0,
    failed: counts.failed ?? 0,
    exists: counts.exists ?? 0,
    cancelled: counts.cancelled ?? 0,
  },
  created_at: isoUtc(row.createdAt),
  completed_at: isoUtcOrNull(row.completedAt),
})

const lineErrorSchema = z
  .strictObject({
    code: z.string().meta({ description: 'A code of an error of the API, or of a failed video.' }),
    message: z.string(),
  })
  .meta({ id: 'ImportLineError' })

/** One line of an import. */
export const importLineSchema = z
  .strictObject({
    object: z.literal('import_line'),
    number: z.int().min(1).meta({ description: 'Its place in the request, from 1.' }),
    state: importLineState,
    external_id: z.string().nullable(),
    sha256: z.string().nullable().meta({ description: 'What the file must have, if you said it.' }),
    video_id: videoId
      .nullable()
      .meta({ description: 'The video that was made, or that has the external id.' }),
    error: lineErrorSchema.nullable().meta({ description: 'Why it failed.' }),
  })
  .meta({ id: 'ImportLine' })

export const importLineListSchema = listSchema(importLineSchema).meta({ id: 'ImportLineList' })

/** One line of an import. */
export const importLineView = ({
  number,
  state,
  externalId,
  sha256,
  videoId: video,
  errorCode,
  errorMessage,
}: VideoImportLine): z.output<typeof importLineSchema> => ({
  object: 'import_line',
  number,
  state,
  external_id: externalId,
  sha256,
  video_id: video,
  error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
})
