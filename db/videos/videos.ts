import type { VideoStatus } from '../../domain/videos/video-state.ts'
import type { EntityManager } from '../database.ts'
import { Video } from '../entities/video.ts'
import { queries } from '../queries.ts'

/** The account's video; null if it is deleted or belongs to another account. */
export const findVideo = (
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<Video | null> => em.findOne(Video, { id, accountId, deletedAt: null })

/** The account's video that was added last among those that play; null if there is none. */
export const findNewestPlayableVideo = (
  em: EntityManager,
  accountId: number,
): Promise<Video | null> =>
  em.findOne(
    Video,
    { accountId, deletedAt: null, status: { $in: ['playable', 'ready'] } },
    { orderBy: { createdAt: 'desc', id: 'desc' } },
  )

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

/** Locks those of these videos that the account has, until the end of the transaction; returns what can be changed of many. */
export const lockVideos = (
  em: EntityManager,
  accountId: number,
  ids: string[],
): Promise<Pick<Video, 'id' | 'title' | 'folderId' | 'tags'>[]> =>
  queries(em)
    .selectFrom('video')
    .select(['id', 'title', 'folderId', 'tags'])
    .where('id', 'in', ids)
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    // Two changes lock in one order, so that they do not wait for each other.
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

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

/** What a deletion deletes with the video, besides its renditions. */
export const TABLES_OF_A_VIDEO = [
  'content_key',
  'key_request',
  'source_key',
  'caption',
  'chapter',
  'moment',
  'ingest_progress',
  'poster_upload',
] as const

/** How many of these ids are videos of the account; deleted ones count. */
export const countVideosOf = (
  em: EntityManager,
  accountId: number,
  ids: string[],
): Promise<number> => em.count(Video, { id: { $in: ids }, accountId })

/** True if the video is deleted. */
export const isVideoDeleted = async (em: EntityManager, id: string): Promise<boolean> =>
  (await em.count(Video, { id, deletedAt: { $ne: null } })) > 0
