import { sql, type RawBuilder } from 'kysely'
import type { RecordedProgress, RecordedStage } from '../../domain/videos/video-progress.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { readWatchable } from './growing-videos.ts'

/** The progress of the account's videos among `ids`; leaves out deleted videos and those of other accounts. */
export async function readProgress(
  em: EntityManager,
  accountId: number,
  ids: string[],
): Promise<RecordedProgress[]> {
  if (ids.length === 0) return []
  const videos = await queries(em)
    .selectFrom('video as v')
    .select([
      'v.id',
      'v.status',
      sql<string[]>`array(select r.name from rendition r where r.video_id = v.id)`.as('published'),
      sql<Date>`now()`.as('readAt'),
    ])
    .where('v.id', 'in', ids)
    .where('v.accountId', '=', accountId)
    .where('v.deletedAt', 'is', null)
    .execute()
  const found = videos.map(({ id }) => id)
  const rows = await readRows(em, found)
  const growing = videos.filter(({ status }) => status === 'processing')
  const watchable = await readWatchable(em, growing)
  return videos.map((video) => ({
    ...video,
    rows: rows.filter(({ videoId }) => videoId === video.id),
    watchableMs: watchable.get(video.id) ?? 0,
  }))
}

/**
 * The parts of a step count together, each as much as the others; those that no row mentions are not begun, and a
 * recorded chunk is complete, even if its worker was killed before it reported that. After a
 * change of their number, the latest counts. A step runs if one of its parts does, as `running` is before `waiting`.
 */
async function readRows(em: EntityManager, videoIds: string[]) {
  if (videoIds.length === 0) return []
  const rows = await queries(em)
    .selectFrom('ingest_progress as p')
    .leftJoin('rendition_chunk as c', (on) =>
      on
        .onRef('c.videoId', '=', 'p.videoId')
        .onRef('c.name', '=', 'p.name')
        .onRef('c.count', '=', 'p.parts')
        .onRef('c.index', '=', 'p.part'),
    )
    .distinctOn(['p.videoId', 'p.name'])
    .select([
      'p.videoId',
      'p.name',
      sql<RecordedStage>`min(stage)`.as('stage'),
      sql<
        number | null
      >`sum(case when c.index is null then fraction else 1 end)::float8 / parts`.as('fraction'),
      'parts as count',
      partsWhere(sql`c.index is not null`).as('done'),
      partsWhere(sql`c.index is null and stage = 'running'`).as('running'),
      sql<Date>`min(started_at)`.as('startedAt'),
      sql<Date>`max(updated_at)`.as('updatedAt'),
    ])
    .where('p.videoId', 'in', videoIds)
    .groupBy(['p.videoId', 'p.name', 'parts'])
    .orderBy('p.videoId')
    .orderBy('p.name')
    .orderBy(sql`max(updated_at)`, 'desc')
    .execute()
  return rows.map(({ count, done, running, ...row }) => ({
    ...row,
    chunks: count > 1 ? { count, done, running } : null,
  }))
}

/** The indexes of the parts for which this is true. */
const partsWhere = (condition: RawBuilder<unknown>): RawBuilder<number[]> =>
  sql<number[]>`coalesce(array_agg(p.part) filter (where ${condition}), '{}')`
