import { sql } from 'kysely'
import type { Protection } from '../domain/plan.ts'
import type { VideoStatus } from '../domain/video-state.ts'
import type { EntityManager } from './database.ts'
import { ContentKey, Video } from './entities/video.ts'
import { queries } from './queries.ts'
import { given } from './page.ts'

export interface NewVideo {
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
export function insertVideo(em: EntityManager, video: NewVideo): Promise<Video> {
  return queries(em).insertInto('video').values(video).returningAll().executeTakeFirstOrThrow()
}

/** The account's video; null if it is deleted or belongs to another account. */
export const findVideo = (
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<Video | null> => em.findOne(Video, { id, accountId, deletedAt: null })

/** A video of any account; null if it is deleted. */
export const findVideoById = (em: EntityManager, id: string): Promise<Video | null> =>
  em.findOne(Video, { id, deletedAt: null })

/** Videos of any account by id, the deleted ones included. */
export const findVideosById = (em: EntityManager, ids: string[]): Promise<Video[]> =>
  em.find(Video, { id: { $in: ids } })

/**
 * Finds the account's video and locks it until the end of the transaction: changes to its captions,
 * chapters and moments wait for each other, and for its deletion.
 */
export async function lockVideo(
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<Video | null> {
  await queries(em)
    .selectFrom('video')
    .select('id')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .forNoKeyUpdate()
    .execute()
  return findVideo(em, accountId, id)
}

/** Locks a video in one of `states`; returns its state, or null if it is in another one or deleted. */
export async function lockVideoIn(
  em: EntityManager,
  id: string,
  states: VideoStatus[],
): Promise<VideoStatus | null> {
  const row = await queries(em)
    .selectFrom('video')
    .select('status')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .where('status', 'in', states)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ? row.status : null
}

/** The properties of a video that an integrator can change. Absent ones keep their values. */
export interface VideoEdit {
  title?: string | undefined
  description?: string | undefined
  folderId?: number | null | undefined
}

/** Changes a video. False if the account has none of this id. Fails (`foreignKey`) if the folder no longer exists. */
export async function updateVideo(
  em: EntityManager,
  accountId: number,
  id: string,
  edit: VideoEdit,
): Promise<boolean> {
  const data = { ...given(edit), updatedAt: new Date() }
  return (await em.nativeUpdate(Video, { id, accountId, deletedAt: null }, data)) > 0
}

/** The columns that can be written together with a change of status. */
export interface VideoChange {
  durationMs?: number
  sizeBytes?: number
  reservedBytes?: number
  width?: number
  height?: number
  hasPoster?: boolean
  hasStoryboard?: boolean
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
  change: VideoChange,
): Promise<{ accountId: number; requestId: string | null } | null> {
  const row = await queries(em)
    .updateTable('video')
    .set({ ...change, status: to, updatedAt: sql`now()` })
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .where('status', 'in', from)
    .returning(['accountId', 'requestId'])
    .executeTakeFirst()
  return row ?? null
}

/**
 * Marks the account's video deleted and deletes its source link, content keys, captions, chapters and
 * moments. Without keys, cached segments cannot be decrypted. False if it was deleted already.
 */
export async function markVideoDeleted(
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<boolean> {
  const deleted = await queries(em)
    .updateTable('video')
    .set({
      deletedAt: sql`now()`,
      updatedAt: sql`now()`,
      folderId: null,
      sourceUrl: '',
      reservedBytes: 0,
    })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) return false
  for (const table of ['content_key', 'caption', 'chapter', 'moment'] as const)
    await queries(em).deleteFrom(table).where('videoId', '=', id).execute()
  return true
}

/** True if the video is deleted. */
export const isVideoDeleted = async (em: EntityManager, id: string): Promise<boolean> =>
  (await em.count(Video, { id, deletedAt: { $ne: null } })) > 0

/**
 * Records that a deleted video has no objects left, and deletes keys that an activity wrote after the
 * deletion. Call it in a transaction.
 */
export async function markVideoRemoved(em: EntityManager, id: string): Promise<void> {
  await em.nativeDelete(ContentKey, { videoId: id })
  await em.nativeUpdate(Video, { id }, { removedAt: new Date() })
}
