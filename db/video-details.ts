import { sql } from 'kysely'
import type { EntityManager } from './database.ts'
import { Video } from './entities/video.ts'
import { exactlyOne, queries } from './queries.ts'
import { findPage, sqlDirection } from './page.ts'
import type { Page, PageRead, PageRequest } from './page.ts'
import { videosThatMatch } from './video-filter.ts'
import type { VideoFilter } from './video-filter.ts'
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
  const cursor = request.startingAfter ?? request.endingBefore
  // A video that was deleted since the last page still marks where the next page begins.
  if (cursor !== undefined && !(await em.count(Video, { id: cursor, accountId: filter.accountId })))
    return null
  const page = await findPage(request, (read) => findVideos(em, filter, read))
  return { rows: await withDetails(em, page.rows), hasMore: page.hasMore }
}

/** Finds the ids in an index alone, and then reads only the rows of the page. */
function findVideos(
  em: EntityManager,
  filter: VideoFilter,
  { direction, cursor, limit }: PageRead<string>,
): Promise<Video[]> {
  const { beyond, order } = sqlDirection(direction)
  let matching = videosThatMatch(em, filter).select('id')
  if (cursor !== undefined)
    matching = matching.where(
      sql<boolean>`(created_at, id) ${beyond}
        (select c.created_at, c.id from video c where c.id = ${cursor})`,
    )
  const ids = matching.orderBy('createdAt', order).orderBy('id', order).limit(limit)
  return queries(em)
    .selectFrom('video')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('createdAt', order)
    .orderBy('id', order)
    .execute()
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
