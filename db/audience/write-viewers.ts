import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { records } from './records.ts'
import type { StoredProgress, StoredViewer } from './viewers.ts'

const OF = { accountId: 'int', viewerId: 'text' }
const WATCHED = {
  plays: 'int',
  watchedMs: 'bigint',
  recentDays: 'int',
  firstSeenAtMs: 'float8',
  lastSeenAtMs: 'float8',
  lastDay: 'int',
}
const COLUMNS = sql.raw('plays, watched_ms, first_seen_at, last_seen_at, last_day, recent_days')
const VALUES = sql.raw(`d.plays, d."watchedMs", to_timestamp(d."firstSeenAtMs" / 1000),
  to_timestamp(d."lastSeenAtMs" / 1000), date '1970-01-01' + d."lastDay", d."recentDays"`)
const REPLACED =
  sql.raw(`plays = excluded.plays, watched_ms = excluded.watched_ms, first_seen_at = excluded.first_seen_at,
  last_seen_at = excluded.last_seen_at, last_day = excluded.last_day, recent_days = excluded.recent_days`)

/** Writes what viewers have watched, in place of what was known of them. */
export async function writeViewers(
  em: EntityManager,
  viewers: readonly StoredViewer[],
): Promise<void> {
  await sql`
    insert into viewer (account_id, viewer_id, ${COLUMNS})
    select d."accountId", d."viewerId", ${VALUES} from ${records(viewers, { ...OF, ...WATCHED })} order by 1, 2
    on conflict (account_id, viewer_id) do update set ${REPLACED}`.execute(queries(em))
}

/** Writes the progress of viewers in videos, in place of what was known of it. */
export async function writeProgress(
  em: EntityManager,
  progress: readonly StoredProgress[],
): Promise<void> {
  const types = {
    ...OF,
    videoId: 'text',
    ...WATCHED,
    positionMs: 'int',
    parts: 'text',
    completedAtMs: 'float8',
  }
  await sql`
    insert into viewer_progress (account_id, viewer_id, video_id, ${COLUMNS}, position_ms, parts, completed_at)
    select d."accountId", d."viewerId", d."videoId", ${VALUES}, d."positionMs", d.parts::bit(100),
      to_timestamp(d."completedAtMs" / 1000) from ${records(progress, types)} order by 1, 2, 3
    on conflict (account_id, viewer_id, video_id) do update set ${REPLACED}, position_ms = excluded.position_ms,
      parts = excluded.parts, completed_at = excluded.completed_at`.execute(queries(em))
}
