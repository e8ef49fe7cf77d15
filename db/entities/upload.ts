import { defineEntity, p } from '@mikro-orm/core'
import type { UploadStatus } from '../../domain/uploads/upload.ts'
import type { Metadata } from '../../domain/videos/own-data.ts'

/** A file that a client sends, until it is a video (ADR 0064). What is stored of it is in `source_write`. */
export const UploadSchema = defineEntity({
  name: 'Upload',
  tableName: 'upload',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.integer(),
    /** Of the video that it becomes. */
    videoId: p.text(),
    status: p.text().$type<UploadStatus>(),
    /** SHA-256 of the secret part of its address, in hex; null after its end, as the two sealed values are. */
    tokenHash: p.text().strictNullable(),
    sealedToken: p.text().strictNullable(),
    /** The key of its source. */
    sealedKey: p.text().strictNullable(),
    filename: p.text(),
    title: p.text(),
    description: p.text(),
    folderId: p.bigint('number').strictNullable(),
    /** As in `video`, which gets them. */
    externalId: p.text().strictNullable(),
    tags: p.array<string>().defaultRaw("'{}'"),
    metadata: p.json<Metadata>().defaultRaw("'{}'"),
    keepOriginal: p.boolean(),
    /** The origin of the pages that may send it; null for every origin. */
    allowedOrigin: p.text().strictNullable(),
    /** Null until a client says it. */
    sizeBytes: p.bigint('number').strictNullable(),
    reservedBytes: p.bigint('number'),
    /** How long after its last byte it expires. */
    expiresInSeconds: p.integer(),
    requestId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** When the last bytes were recorded. */
    receivedAt: p.datetime().defaultRaw('now()'),
    endedAt: p.datetime().strictNullable(),
  },
})

export class Upload extends UploadSchema.class {}
UploadSchema.setClass(Upload)
