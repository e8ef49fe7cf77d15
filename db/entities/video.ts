import { defineEntity, p } from '@mikro-orm/core'
import type { Protection } from '../../domain/accounts/plan.ts'
import type { DrmSystem } from '../../domain/drm/drm-system.ts'
import type { KeyName } from '../../domain/drm/key-contract.ts'
import type { KeyModel } from '../../domain/drm/key-model.ts'
import type { ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import type { VideoOutline } from '../../domain/playback/growing-video.ts'
import { AUTOMATIC_POSTER } from '../../domain/videos/media-paths.ts'
import type { Metadata } from '../../domain/videos/own-data.ts'
import type { PictureFormat } from '../../domain/videos/picture.ts'
import type { PosterPlaceholders, PosterRefusal } from '../../domain/videos/poster-pictures.ts'
import type { Rendition as RenditionFacts, TrackType } from '../../domain/videos/rendition.ts'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import type { VideoWarning } from '../../domain/videos/video-warnings.ts'

export const FolderSchema = defineEntity({
  name: 'Folder',
  tableName: 'folder',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.integer(),
    name: p.text(),
    /** Grows with each change of what the object shows of the row (ADR 0051). A trigger counts it. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
})

export class Folder extends FolderSchema.class {}
FolderSchema.setClass(Folder)

export const VideoSchema = defineEntity({
  name: 'Video',
  tableName: 'video',
  properties: {
    /** 20 characters of lowercase hex. */
    id: p.text().primary(),
    accountId: p.integer(),
    status: p.text().$type<VideoStatus>().default('queued'),
    title: p.text(),
    description: p.text().default(''),
    folderId: p.bigint('number').strictNullable(),
    /** Given by the integrator; of one video of the account that is not deleted. */
    externalId: p.text().strictNullable(),
    tags: p.array<string>().defaultRaw("'{}'"),
    metadata: p.json<Metadata>().defaultRaw("'{}'"),
    /** May contain a presigned query, so it never enters a log, an error or a workflow history. */
    sourceUrl: p.text(),
    protection: p.text().$type<Protection>(),
    /** Null for ClearKey, and until the keys are made. */
    keyModel: p.text().$type<KeyModel>().strictNullable(),
    keepOriginal: p.boolean().default(false),
    /** Storage that a running ingest has reserved (ADR 0017); 0 once it has ended. */
    reservedBytes: p.bigint('number').default(0),
    durationMs: p.integer().strictNullable(),
    sizeBytes: p.bigint('number').default(0),
    width: p.integer().strictNullable(),
    height: p.integer().strictNullable(),
    hasPoster: p.boolean().default(false),
    /** The name of the picture that is the poster (`domain/videos/media-paths.ts`). */
    posterName: p.text().default(AUTOMATIC_POSTER),
    /** How often the poster was chosen. */
    posterVersion: p.integer().default(0),
    /** The picture that a member uploaded, and its size; null and 0 if none. */
    uploadNumber: p.bigint('number').strictNullable(),
    uploadBytes: p.integer().default(0),
    /** Frames that were kept to choose the poster from; 0 for videos from before they were. */
    frameCount: p.integer().default(0),
    /** For the pictures that are or can become the poster, by `posterName`: shown while it loads. */
    posterPlaceholders: p.json<PosterPlaceholders>().defaultRaw("'{}'"),
    hasStoryboard: p.boolean().default(false),
    /** How it differs from its source; empty until it is ready. */
    warnings: p.json<VideoWarning[]>().defaultRaw("'[]'"),
    errorCode: p.text().strictNullable(),
    errorMessage: p.text().strictNullable(),
    /** The HTTP request that created it; null if none did. */
    requestId: p.text().strictNullable(),
    /** Grows with each change of what the object shows of the row (ADR 0051). A trigger counts it. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    deletedAt: p.datetime().strictNullable(),
    /** When the objects of the deleted video were removed. */
    removedAt: p.datetime().strictNullable(),
  },
})

export class Video extends VideoSchema.class {}
VideoSchema.setClass(Video)

export const PosterUploadSchema = defineEntity({
  name: 'PosterUpload',
  tableName: 'poster_upload',
  properties: {
    videoId: p.text().primary(),
    accountId: p.integer(),
    /** Grows with each upload of any video. */
    number: p.bigint('number').defaultRaw("nextval('poster_upload_number_seq')"),
    /** The file as it was sent: untrusted. Null once it is refused. */
    content: p.blob().strictNullable(),
    format: p.text().$type<PictureFormat>(),
    sizeBytes: p.integer(),
    /** Why it was refused; null while it waits. */
    reason: p.text().$type<PosterRefusal>().strictNullable(),
    requestId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export const RenditionSchema = defineEntity({
  name: 'Rendition',
  tableName: 'rendition',
  properties: {
    videoId: p.text().primary(),
    name: p.text().primary(),
    facts: p.json<RenditionFacts>(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class Rendition extends RenditionSchema.class {}
RenditionSchema.setClass(Rendition)

/** A chunk of a rendition that is not published yet. */
export const RenditionChunkSchema = defineEntity({
  name: 'RenditionChunk',
  tableName: 'rendition_chunk',
  properties: {
    videoId: p.text().primary(),
    name: p.text().primary(),
    /** The chunks of its plan. A video that could not be cut has those of two plans for a while. */
    count: p.integer().primary(),
    index: p.integer().primary(),
    facts: p.json<ChunkFacts>(),
    sizeBytes: p.bigint('number'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class RenditionChunk extends RenditionChunkSchema.class {}
RenditionChunkSchema.setClass(RenditionChunk)

/** How a video is encoded that plays meanwhile. Absent for a video that is encoded whole, and for older videos. */
export const GrowingOutlineSchema = defineEntity({
  name: 'GrowingOutline',
  tableName: 'growing_film',
  properties: {
    videoId: p.text().primary(),
    outline: p.json<VideoOutline>(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class GrowingOutline extends GrowingOutlineSchema.class {}
GrowingOutlineSchema.setClass(GrowingOutline)

/** A chunk of the first rung that an activity has chosen, and keeps over its retries. */
export const ChunkClaimSchema = defineEntity({
  name: 'ChunkClaim',
  tableName: 'chunk_claim',
  properties: {
    videoId: p.text().primary(),
    /** The number of the activity, from 0: there are as many as chunks. */
    ticket: p.integer().primary(),
    /** Of the chunk, from 0. */
    index: p.integer(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

/** The same of a chunk of the other rungs. */
export const LaterChunkClaimSchema = defineEntity({
  name: 'LaterChunkClaim',
  tableName: 'later_chunk_claim',
  properties: {
    videoId: p.text().primary(),
    /** How many chunks the other rungs have: an earlier run of the ingest may have cut them in another way. */
    count: p.integer().primary(),
    /** The number of the activity, from 0: there are as many as chunks. */
    ticket: p.integer().primary(),
    /** Of the chunk, from 0. */
    index: p.integer(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export const ContentKeySchema = defineEntity({
  name: 'ContentKey',
  tableName: 'content_key',
  properties: {
    videoId: p.text().primary(),
    name: p.text().$type<KeyName>().primary(),
    /** The tracks that it encrypts; no other key of the video encrypts them. */
    trackTypes: p.array<TrackType>(),
    /** 32 characters of lowercase hex. */
    keyId: p.text().unique(),
    /** Sealed with a context that has the name (`security/sealing/secret-contexts.ts`). */
    sealedKey: p.text(),
    ivHex: p.text().strictNullable(),
    /** DRM signalling (`domain/drm/drm-system.ts`). Empty for ClearKey. Only `protection` says how a video is protected. */
    systems: p.json<DrmSystem[]>(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class ContentKey extends ContentKeySchema.class {}
ContentKeySchema.setClass(ContentKey)

/** A content key that a key server is asked for. Kept as long as the video, without any secret. */
export const KeyRequestSchema = defineEntity({
  name: 'KeyRequest',
  tableName: 'key_request',
  properties: {
    videoId: p.text().primary(),
    name: p.text().$type<KeyName>().primary(),
    trackTypes: p.array<TrackType>(),
    /** 32 characters of lowercase hex each. */
    keyId: p.text(),
    ivHex: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class KeyRequest extends KeyRequestSchema.class {}
KeyRequestSchema.setClass(KeyRequest)

/** A term by which a video is found: the hash of a facet, alone or within a status or a folder (ADR 0072). Triggers keep it. */
export const VideoTermSchema = defineEntity({
  name: 'VideoTerm',
  tableName: 'video_term',
  properties: {
    accountId: p.integer().primary(),
    term: p.bigint('string').primary(),
    /** Of the video: lists are in this order. */
    createdAt: p.datetime().primary(),
    videoId: p.text().primary(),
  },
})
