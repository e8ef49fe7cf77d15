import { defineEntity, p } from '@mikro-orm/core'
import type { StoredPart } from '../../domain/encoding/stored-part.ts'
import type { SourceTail } from '../../domain/ingest/source-tail.ts'
import type { RecordedStage } from '../../domain/videos/video-progress.ts'

/** The key that encrypts the stored source of a video (ADR 0032). */
export const SourceKeySchema = defineEntity({
  name: 'SourceKey',
  tableName: 'source_key',
  properties: {
    videoId: p.text().primary(),
    sealedKey: p.text(),
    /** Names what is stored, which its chunks are made of; null until it is stored, and for sources of older workers. */
    sourceId: p.text().strictNullable(),
    /** Names the copy of its picture (ADR 0046); null if it has none. */
    copyId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class SourceKey extends SourceKeySchema.class {}
SourceKeySchema.setClass(SourceKey)

/** What is stored of a source that still arrives. The row goes with the key. */
export const SourceWriteSchema = defineEntity({
  name: 'SourceWrite',
  tableName: 'source_write',
  properties: {
    videoId: p.text().primary(),
    /** Names the writer: no other one may change the row. */
    token: p.text(),
    /** Whether the writer may still run. */
    isHeld: p.boolean(),
    /** Says whether a link still has the same file (`If-Range`). */
    validator: p.text().strictNullable(),
    /** Of the object that is not whole; null before its first part. */
    objectId: p.text().strictNullable(),
    /** Names what is stored, as in `source_key`; null before the first part. */
    sourceId: p.text().strictNullable(),
    /** The next number of a part that is not used. */
    nextNumber: p.integer(),
    parts: p.json<StoredPart[]>(),
    /** How much of the file is in the parts and in `carry`: whole pieces. */
    offsetBytes: p.bigint('number'),
    /** The encrypted bytes behind the last part. */
    carry: p.blob(),
    /** The object with the bytes behind `carry`. Only uploads have one: their bytes count as soon as they arrive. */
    tail: p.json<SourceTail>().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
})

export const IngestProgressSchema = defineEntity({
  name: 'IngestProgress',
  tableName: 'ingest_progress',
  properties: {
    videoId: p.text().primary(),
    /** A rendition such as `720p`, or a step such as `download`. */
    name: p.text().primary(),
    /** Which part of the step, from 0, and their number; one row for each part that has begun. */
    part: p.integer().primary(),
    parts: p.integer().default(1),
    stage: p.text().$type<RecordedStage>(),
    /** Of the part, from 0 to 1; null if the total is not known. */
    fraction: p.float().strictNullable(),
    startedAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
})
