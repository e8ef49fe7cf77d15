import { sql } from 'kysely'
import type { VideoStatus } from '../domain/video-state.ts'
import type { EntityManager } from './database.ts'
import { queries } from './queries.ts'

/** Which videos of an account a list shows. Absent parts admit every video. */
export interface VideoFilter {
  accountId: number
  status?: VideoStatus | undefined
  folderId?: number | undefined
  /** Part of the title, in any case. */
  titlePart?: string | undefined
}

/** A query of the videos that match a filter, without those that are deleted; it selects nothing yet. */
export function videosThatMatch(
  em: EntityManager,
  { accountId, status, folderId, titlePart }: VideoFilter,
) {
  let query = queries(em)
    .selectFrom('video')
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
  if (status !== undefined) query = query.where('status', '=', status)
  if (folderId !== undefined) query = query.where('folderId', '=', folderId)
  if (titlePart !== undefined) {
    const pattern = `%${withoutWildcards(titlePart)}%`
    query = query.where(sql<boolean>`search_title like lower(${pattern})`)
  }
  return query
}

/** How many videos match, by status; a status without videos is absent. */
export async function countVideosByStatus(
  em: EntityManager,
  filter: VideoFilter,
): Promise<Map<VideoStatus, number>> {
  const rows = await videosThatMatch(em, filter)
    .select(['status', sql<number>`count(*)::int`.as('count')])
    .groupBy('status')
    .execute()
  return new Map(rows.map(({ status, count }) => [status, count]))
}

/** Locks up to `limit` of the videos that match, until the end of the transaction; returns their ids. */
export async function lockVideosThatMatch(
  em: EntityManager,
  filter: VideoFilter,
  limit: number,
): Promise<string[]> {
  const rows = await videosThatMatch(em, filter)
    .select('id')
    // Two deletions lock in one order, so that they do not wait for each other.
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

const withoutWildcards = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
