import { sql } from 'kysely'
import type { Protection } from '../../domain/accounts/plan.ts'
import type { Metadata, OwnData } from '../../domain/videos/own-data.ts'
import type { PosterPlaceholders } from '../../domain/videos/poster-pictures.ts'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import type { VideoWarning } from '../../domain/videos/video-warnings.ts'
import type { EntityManager } from '../database.ts'
import { SourceKey } from '../entities/ingest.ts'
import { ContentKey, Video } from '../entities/video.ts'
import { given } from '../page.ts'
import { asJson, queries } from '../queries.ts'
import { TABLES_OF_A_VIDEO } from './videos.ts'

export interface NewVideo extends Partial<OwnData> {
  /** 20 characters of lowercase hex. */
  id: string
  accountId: number
  title: string
  description: string
  folderId: number | null
  sourceUrl: string
  protection: Protection
  keepOriginal: boolean
  reservedBytes: number
  /** The request that creates it, if one does. */
  requestId?: string | null
}

/** Inserts a queued video and returns its row. */
export function insertVideo(
  em: EntityManager,
  { metadata = {}, ...video }: NewVideo,
): Promise<Video> {
  return queries(em)
    .insertInto('video')
    .values({ ...video, metadata: asJson(metadata) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The properties of a video that an integrator can change. Absent ones keep their values. */
export interface VideoEdit {
  title?: string | undefined
  description?: string | undefined
  folderId?: number | null | undefined
  externalId?: string | null | undefined
  tags?: string[] | undefined
  metadata?: Metadata | undefined
}

/** Changes a video that is locked. Fails (`foreignKey`) if the folder no longer exists. */
export async function updateVideo(
  em: EntityManager,
  id: string,
  { metadata, ...edit }: VideoEdit,
): Promise<void> {
  await queries(em)
    .updateTable('video')
    .set({
      ...given(edit),
      ...(metadata && { metadata: asJson(metadata) }),
      updatedAt: new Date(),
    })
    .where('id', '=', id)
    .execute()
}

/** Changes which picture is the poster of a video; its address changes too. */
export async function putPoster(em: EntityManager, id: string, posterName: string): Promise<void> {
  await queries(em)
    .updateTable('video')
    .set({ posterName, posterVersion: sql`poster_version + 1`, updatedAt: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** The columns that can be written together with a change of status. */
export interface VideoChange {
  durationMs?: number
  sizeBytes?: number
  reservedBytes?: number
  width?: number
  height?: number
  hasPoster?: boolean
  frameCount?: number
  posterPlaceholders?: PosterPlaceholders
  hasStoryboard?: boolean
  warnings?: VideoWarning[]
  errorCode?: string
  errorMessage?: string
}

/**
 * Writes a status together with `change`. Resolves to null, having written nothing, if the video is in
 * none of the states `from` or is deleted. Only `commands/videos/transition-video.ts` calls it.
 */
export async function updateVideoStatus(
  em: EntityManager,
  id: string,
  { from, to }: { from: VideoStatus[]; to: VideoStatus },
  { warnings, posterPlaceholders, ...change }: VideoChange,
): Promise<{ accountId: number; requestId: string | null } | null> {
  const row = await queries(em)
    .updateTable('video')
    .set({
      ...change,
      ...(warnings && { warnings: asJson(warnings) }),
      ...(posterPlaceholders && { posterPlaceholders: asJson(posterPlaceholders) }),
      status: to,
      updatedAt: sql`now()`,
    })
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .where('status', 'in', from)
    .returning(['accountId', 'requestId'])
    .executeTakeFirst()
  return row ?? null
}

/**
 * Marks the account's videos deleted and deletes their source links, own data of the integrator, content keys, source keys, captions, chapters,
 * moments, progress and uploaded files. Without keys, cached segments cannot be decrypted. Returns those that it deleted: the
 * others were deleted already, or belong to another account.
 */
export async function markVideosDeleted(
  em: EntityManager,
  accountId: number,
  ids: string[],
): Promise<VideoTitle[]> {
  if (ids.length === 0) return []
  const deleted = await queries(em)
    .updateTable('video')
    .set({
      deletedAt: sql`now()`,
      updatedAt: sql`now()`,
      folderId: null,
      externalId: null,
      tags: [],
      metadata: asJson({}),
      sourceUrl: '',
      reservedBytes: 0,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('video')
        .select('id')
        .where('id', 'in', ids)
        .where('accountId', '=', accountId)
        .where('deletedAt', 'is', null)
        // In order, so that two deletions of the same videos cannot deadlock.
        .orderBy('id')
        .forUpdate(),
    )
    .returning(['id', 'title'])
    .execute()
  const deletedIds = deleted.map(({ id }) => id)
  if (deletedIds.length === 0) return []
  for (const table of TABLES_OF_A_VIDEO)
    await queries(em).deleteFrom(table).where('videoId', 'in', deletedIds).execute()
  return deleted
}

/** A video by its id, with the title by which people know it. */
export interface VideoTitle {
  id: string
  title: string
}

/**
 * Records that a deleted video has no objects left, and deletes keys that an activity wrote after the
 * deletion. Call it in a transaction.
 */
export async function markVideoRemoved(em: EntityManager, id: string): Promise<void> {
  await em.nativeDelete(ContentKey, { videoId: id })
  await em.nativeDelete(SourceKey, { videoId: id })
  await em.nativeUpdate(Video, { id }, { removedAt: new Date() })
}
