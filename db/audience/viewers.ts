import { sql } from 'kysely'
import type { ViewerProgress, WatchedByViewer } from '../../domain/audience/viewer-progress.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { records } from './records.ts'

/** A viewer of an account, with what the viewer has watched. */
export interface StoredViewer extends WatchedByViewer {
  accountId: number
  viewerId: string
}

/** The same for one video. */
export interface StoredProgress extends ViewerProgress {
  accountId: number
  viewerId: string
  videoId: string
}

const WATCHED =
  sql.raw(`w.plays, w.watched_ms::float8 as "watchedMs", w.recent_days as "recentDays",
  (extract(epoch from w.first_seen_at) * 1000)::float8 as "firstSeenAtMs",
  (extract(epoch from w.last_seen_at) * 1000)::float8 as "lastSeenAtMs", w.last_day - date '1970-01-01' as "lastDay"`)

/** Looks rows up one by one: without new statistics, PostgreSQL reads the whole table for each batch. */
const BY_KEY = sql.raw('offset 0')

/** Locks the viewers of these ids that are known. */
export async function lockViewers(
  em: EntityManager,
  wanted: readonly Pick<StoredViewer, 'accountId' | 'viewerId'>[],
): Promise<StoredViewer[]> {
  const { rows } = await sql<StoredViewer>`
    select w.account_id as "accountId", w.viewer_id as "viewerId", ${WATCHED}
    from (select distinct d.* from ${records(wanted, { accountId: 'int', viewerId: 'text' })} order by 1, 2) d
    cross join lateral (select * from viewer v where v.account_id = d."accountId" and v.viewer_id = d."viewerId"
      ${BY_KEY} for update) w`.execute(queries(em).withoutPlugins())
  return rows
}

/** Locks the progress of these viewers in these videos, as far as it is known. */
export async function lockProgress(
  em: EntityManager,
  wanted: readonly Pick<StoredProgress, 'accountId' | 'viewerId' | 'videoId'>[],
): Promise<StoredProgress[]> {
  const { rows } = await sql<StoredProgress>`
    select w.account_id as "accountId", w.viewer_id as "viewerId", w.video_id as "videoId", ${WATCHED},
      w.position_ms as "positionMs", w.parts::text, (extract(epoch from w.completed_at) * 1000)::float8 as "completedAtMs"
    from (select distinct d.* from ${records(wanted, { accountId: 'int', viewerId: 'text', videoId: 'text' })} order by 1, 2, 3) d
    cross join lateral (select * from viewer_progress p where p.account_id = d."accountId" and p.viewer_id = d."viewerId"
      and p.video_id = d."videoId" ${BY_KEY} for update) w`.execute(queries(em).withoutPlugins())
  return rows
}
