import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** How many sessions of a viewer are listed. */
const SESSIONS_MAX = 20

/** A playback session of a viewer that is counted. */
export interface ViewerSession {
  /** A UUID. */
  id: string
  videoId: string
  /** Null if the video is deleted. */
  title: string | null
  refererHost: string | null
  userAgent: string | null
  startedAt: Date
  watchedMs: number
  positionMs: number | null
  /** The code of the problem that ended the playback, or prevented its start. */
  error: string | null
}

/** Lists the last playback sessions of a viewer, in those videos that the viewer has watched last. Sessions have no index of viewers alone. */
export async function listViewerSessions(
  em: EntityManager,
  accountId: number,
  viewerId: string,
): Promise<ViewerSession[]> {
  const { rows } = await sql<ViewerSession>`
    select s.id, p.video_id as "videoId", v.title, s.referer_host as "refererHost", s.user_agent as "userAgent",
      s.started_at as "startedAt", coalesce(s.watched_ms, 0)::float8 as "watchedMs", s.position_ms as "positionMs", s.error
    from (select video_id from viewer_progress where account_id = ${accountId} and viewer_id = ${viewerId}
      order by last_seen_at desc limit ${SESSIONS_MAX}) p
    left join video v on v.id = p.video_id and v.account_id = ${accountId} and v.deleted_at is null
    cross join lateral (select * from playback_record s where s.account_id = ${accountId} and s.video_id = p.video_id
      and s.viewer_id = ${viewerId} order by s.started_at desc limit ${SESSIONS_MAX}) s
    order by s.started_at desc, s.id limit ${SESSIONS_MAX}`.execute(queries(em).withoutPlugins())
  return rows
}
