import { sql } from 'kysely'
import type { VideoStatus } from '../domain/video-state.ts'
import type { EntityManager } from './database.ts'
import { findPage, sqlDirection } from './page.ts'
import type { Page, PageRead, PageRequest } from './page.ts'
import { queries } from './queries.ts'
import {
  hasVideoCursor,
  isBeyond,
  listVideos,
  videosInOrder,
  withDetails,
} from './video-details.ts'
import type { VideoDetails } from './video-details.ts'
import { countVideosByStatus, videosThatMatch } from './video-filter.ts'
import type { VideoFilter } from './video-filter.ts'

export interface FoundVideos {
  page: Page<VideoDetails>
  /** How many match but for the filter `status`; a status without videos is absent. */
  byStatus: Map<VideoStatus, number>
}

/** A page of the videos that match, newest first, with their counts. Null if the cursor is not a video of the account. */
export async function searchVideos(
  em: EntityManager,
  filter: VideoFilter,
  request: PageRequest<string>,
): Promise<FoundVideos | null> {
  if (filter.titlePart !== undefined) return searchTitles(em, filter, request)
  const [page, byStatus] = await Promise.all([
    listVideos(em, filter, request),
    countVideosByStatus(em.fork(), { ...filter, status: undefined }),
  ])
  return page && { page, byStatus }
}

/** Both from one search: a part of fewer than three letters has no trigram, and is sought in every title. */
async function searchTitles(
  em: EntityManager,
  filter: VideoFilter,
  request: PageRequest<string>,
): Promise<FoundVideos | null> {
  if (!(await hasVideoCursor(em, filter.accountId, request))) return null
  const byStatus = new Map<VideoStatus, number>()
  const page = await findPage(request, async (read: PageRead<string>) => {
    const { ids, counts } = await findAndCount(em, filter, read)
    for (const { status, count } of counts) byStatus.set(status, count)
    return ids.length === 0
      ? []
      : videosInOrder(em, read.direction).where('id', 'in', ids).execute()
  })
  return { page: { rows: await withDetails(em, page.rows), hasMore: page.hasMore }, byStatus }
}

function findAndCount(
  em: EntityManager,
  { status, ...filter }: VideoFilter,
  { direction, cursor, limit }: PageRead<string>,
): Promise<{ ids: string[]; counts: { status: VideoStatus; count: number }[] }> {
  const order = sql.raw(sqlDirection(direction).order)
  const hasStatus = status === undefined ? sql`true` : sql`status = ${status}`
  const isAfter = cursor === undefined ? sql`true` : isBeyond(direction, cursor)
  return queries(em)
    .with(
      (name) => name('matching').materialized(),
      () => videosThatMatch(em, filter).select(['id', 'status', 'createdAt']),
    )
    .selectNoFrom([
      sql<string[]>`array(select id from matching where ${hasStatus} and ${isAfter}
        order by created_at ${order}, id ${order} limit ${limit})`.as('ids'),
      sql<{ status: VideoStatus; count: number }[]>`(select coalesce(jsonb_agg(c), '[]') from
        (select status, count(*) from matching group by status) c)`.as('counts'),
    ])
    .executeTakeFirstOrThrow()
}
