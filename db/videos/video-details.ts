import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { Video } from '../entities/video.ts'
import { findPage, sqlDirection, type Page, type PageRead, type PageRequest } from '../page.ts'
import { exactlyOne, queries } from '../queries.ts'
import { videosThatMatch, type VideoFilter } from './video-filter.ts'
import { findVideo } from './videos.ts'

/** A video with its data from other tables. */
export interface VideoDetails {
  video: Video
  /** The short sides of the published rungs in pixels, in ascending order. */
  resolutions: number[]
  captionCount: number
  chapterCount: number
  momentCount: number
}

/** The account's video with its details; null if it is deleted or belongs to another account. */
export async function findVideoDetails(
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<VideoDetails | null> {
  const video = await findVideo(em, accountId, id)
  return video ? exactlyOne(await withDetails(em, [video])) : null
}

/** A page of the account's videos, newest first. Null if the cursor is not a video of the account. */
export async function listVideos(
  em: EntityManager,
  filter: VideoFilter,
  request: PageRequest<string>,
): Promise<Page<VideoDetails> | null> {
  if (!(await hasVideoCursor(em, filter.accountId, request))) return null
  const page = await findPage(request, (read) => findVideos(em, filter, read))
  return { rows: await withDetails(em, page.rows), hasMore: page.hasMore }
}

/** False if the page starts at a video that never was the account's. */
async function hasVideoCursor(
  em: EntityManager,
  accountId: number,
  { startingAfter, endingBefore }: PageRequest<string>,
): Promise<boolean> {
  const id = startingAfter ?? endingBefore
  // A video that was deleted since the last page still marks where the next page begins.
  return id === undefined || (await em.count(Video, { id, accountId })) > 0
}

/** Finds the ids in an index alone, and then reads only the rows of the page. */
function findVideos(
  em: EntityManager,
  filter: VideoFilter,
  { direction, cursor, limit }: PageRead<string>,
): Promise<Video[]> {
  const { order } = sqlDirection(direction)
  let matching = videosThatMatch(em, filter).select('id')
  if (cursor !== undefined) matching = matching.where(isBeyond(direction, cursor))
  const ids = matching.orderBy('createdAt', order).orderBy('id', order).limit(limit)
  return videosInOrder(em, direction).where('id', 'in', ids).execute()
}

/** The condition that a video comes after another one in the order of a list. */
const isBeyond = (direction: PageRead<string>['direction'], id: string) =>
  sql<boolean>`(created_at, id) ${sqlDirection(direction).beyond}
    (select c.created_at, c.id from video c where c.id = ${id})`

/** All videos in the order of a list; choose some of them. */
function videosInOrder(em: EntityManager, direction: PageRead<string>['direction']) {
  const { order } = sqlDirection(direction)
  return queries(em)
    .selectFrom('video')
    .selectAll()
    .orderBy('createdAt', order)
    .orderBy('id', order)
}

/** Adds to each video its data from other tables. */
export async function withDetails(em: EntityManager, videos: Video[]): Promise<VideoDetails[]> {
  if (videos.length === 0) return []
  const ids = videos.map(({ id }) => id)
  const rows = await queries(em)
    .selectFrom('video as v')
    .select([
      'v.id',
      sql<number[]>`array(select substring(r.name from '^[0-9]+')::int from rendition r
        where r.video_id = v.id and r.facts ->> 'kind' = 'video' order by 1)`.as('resolutions'),
      countIn('caption').as('captionCount'),
      countIn('chapter').as('chapterCount'),
      countIn('moment').as('momentCount'),
    ])
    .where('v.id', 'in', ids)
    .execute()
  const byId = new Map(rows.map(({ id, ...details }) => [id, details]))
  return videos.flatMap((video) => {
    const details = byId.get(video.id)
    return details ? [{ video, ...details }] : []
  })
}

const countIn = (table: 'caption' | 'chapter' | 'moment') =>
  sql<number>`(select count(*) from ${sql.table(table)} a where a.video_id = v.id)`
