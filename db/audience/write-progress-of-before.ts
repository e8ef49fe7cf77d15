import { sql } from 'kysely'
import { PLAY_MIN_MS } from '../../domain/audience/session-measures.ts'
import { DASHBOARD_VIEWER_PREFIX } from '../../domain/settings/preview-look.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import type { Backfill } from '../upkeep/write-backfills.ts'
import { keepsTotalsOnly } from './viewer-data.ts'

const PAIRS_ROWS = 1_000

/** A viewer in a video. */
interface Pair {
  videoId: string
  viewerId: string
}

/**
 * Fills the progress of viewers from the sessions of before the audience was counted. Of one that went on afterwards, only what it was
 * before is taken, because the rest is counted. Players of before reported no parts, so nothing is complete by them.
 */
export const fillViewerProgress: Backfill = {
  name: 'viewer-progress',
  async fill(em, position) {
    const after: Pair = position === null ? { videoId: '', viewerId: '' } : JSON.parse(position)
    const last = await fillPairs(em, after)
    return last && JSON.stringify(last)
  },
}

/** Sessions that were not open when they were first counted, or never: those of before. */
const OF_BEFORE = sql.raw(`(s.counted_at is null and (not s.is_open or s.counted is not null))`)
const WATCHED = sql.raw(`coalesce((s.counted ->> 'watchedMs')::int, s.watched_ms)`)

async function fillPairs(em: EntityManager, after: Pair): Promise<Pair | null> {
  const { rows } = await sql<Pair & { count: number }>`
    with pair as materialized (
      select s.video_id, s.viewer_id, min(s.account_id) as account_id, count(*) filter (where ${WATCHED} >= ${PLAY_MIN_MS}) as plays,
        coalesce(sum(${WATCHED}) filter (where ${WATCHED} >= ${PLAY_MIN_MS}), 0) as watched_ms, min(s.started_at) as first_seen_at,
        max(s.last_seen_at) as last_seen_at,
        (array_agg(s.position_ms order by s.last_seen_at desc) filter (where s.position_ms is not null))[1] as position_ms
      from playback_record s
      where s.viewer_id is not null and (s.video_id, s.viewer_id) > (${after.videoId}, ${after.viewerId})
        and ${OF_BEFORE} and not starts_with(s.viewer_id, ${DASHBOARD_VIEWER_PREFIX})
      group by s.video_id, s.viewer_id order by s.video_id, s.viewer_id limit ${PAIRS_ROWS}
    ), present as (
      select p.* from pair p join account a on a.id = p.account_id and not ${sql.raw(keepsTotalsOnly('a'))}
    ), of_video as (
      insert into viewer_progress as w (account_id, viewer_id, video_id, plays, watched_ms, first_seen_at, last_seen_at, position_ms)
      select account_id, viewer_id, video_id, plays, watched_ms, first_seen_at, last_seen_at, position_ms from present order by 1, 2, 3
      on conflict (account_id, viewer_id, video_id) do update set ${sql.raw(ADDED)}, position_ms = coalesce(w.position_ms, excluded.position_ms)
    ), of_viewer as (
      insert into viewer as w (account_id, viewer_id, plays, watched_ms, first_seen_at, last_seen_at)
      select account_id, viewer_id, sum(plays), sum(watched_ms), min(first_seen_at), max(last_seen_at) from present group by 1, 2 order by 1, 2
      on conflict (account_id, viewer_id) do update set ${sql.raw(ADDED)}
    )
    select video_id as "videoId", viewer_id as "viewerId", (select count(*)::int from pair) as count
    from pair order by 1 desc, 2 desc limit 1`.execute(queries(em).withoutPlugins())
  const [last] = rows
  return last?.count === PAIRS_ROWS ? { videoId: last.videoId, viewerId: last.viewerId } : null
}

const ADDED = `plays = w.plays + excluded.plays, watched_ms = w.watched_ms + excluded.watched_ms,
  first_seen_at = least(w.first_seen_at, excluded.first_seen_at), last_seen_at = greatest(w.last_seen_at, excluded.last_seen_at)`
