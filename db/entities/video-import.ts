import { defineEntity, p } from '@mikro-orm/core'
import type { ErrorCode } from '../../domain/error-codes.ts'
import type {
  ImportBucket,
  ImportedFacts,
  ImportLineState,
  ImportState,
} from '../../domain/imports/video-import.ts'
import type { VideoErrorCode } from '../../domain/videos/video-failures.ts'

/** Links that become videos, some at a time (ADR 0074). */
export const VideoImportSchema = defineEntity({
  name: 'VideoImport',
  tableName: 'video_import',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.integer(),
    state: p.text().$type<ImportState>().default('running'),
    /** How many of its videos are made at the same time. */
    atOnce: p.integer(),
    lineCount: p.integer(),
    /** Null for an import of links. */
    bucket: p.json<ImportBucket>().strictNullable(),
    /** What opens the bucket, as JSON of BucketAccess; null once every line is settled. */
    sealedAccess: p.text().strictNullable(),
    /** The HTTP request that caused it; null if none did. */
    requestId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    completedAt: p.datetime().strictNullable(),
  },
})

export class VideoImport extends VideoImportSchema.class {}
VideoImportSchema.setClass(VideoImport)

export const VideoImportLineSchema = defineEntity({
  name: 'VideoImportLine',
  tableName: 'video_import_line',
  properties: {
    importId: p.bigint('number').primary(),
    /** Its place in the request, from 1. */
    number: p.integer().primary(),
    accountId: p.integer(),
    state: p.text().$type<ImportLineState>().default('waiting'),
    externalId: p.text().strictNullable(),
    /** Empty once the line is settled. */
    sourceUrl: p.text(),
    /** What the file must have, in hex; null if the integrator does not say it. */
    sha256: p.text().strictNullable(),
    /** Empty once the line is settled. */
    facts: p.json<Partial<ImportedFacts>>(),
    videoId: p.text().strictNullable(),
    /** The newest video that was made again from it: its source must have the same checksum. */
    retryVideoId: p.text().strictNullable(),
    /** Why it failed. */
    errorCode: p.text().$type<ErrorCode | VideoErrorCode>().strictNullable(),
    errorMessage: p.text().strictNullable(),
  },
})

export class VideoImportLine extends VideoImportLineSchema.class {}
VideoImportLineSchema.setClass(VideoImportLine)
