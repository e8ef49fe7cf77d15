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

/** Locks the viewers of these ids that are known. */
export async function lockViewers(
  em: EntityManager,
  wanted: readonly Pick<StoredViewer, 'accountId' | 'viewerId'>[],
): Promise<StoredViewer[]> {
  const { rows } = await sql<StoredViewer>`
    select w.account_id as "accountId", w.viewer_id as "viewerId", ${WATCHED}
    from ${records(wanted, { accountId: 'int', viewerId: 'text' })}
    join viewer w on w.account_id = d."accountId" and w.viewer_id = d."viewerId"
    order by 1, 2 for update of w`.execute(queries(em).withoutPlugins())
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
    from ${records(wanted, { accountId: 'int', viewerId: 'text', videoId: 'text' })}
    join viewer_progress w on w.account_id = d."accountId" and w.viewer_id = d."viewerId" and w.video_id = d."videoId"
    order by 1, 2, 3 for update of w`.execute(queries(em).withoutPlugins())
  return rows
}
