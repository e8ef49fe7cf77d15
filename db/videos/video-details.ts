import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import type { Video } from '../entities/video.ts'
import { exactlyOne, queries } from '../queries.ts'
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
