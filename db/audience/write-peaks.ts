import { sql } from 'kysely'
import { PLAYING_SEEN_MS } from '../../domain/limits.ts'
import { DASHBOARD_VIEWER_PREFIX } from '../../domain/settings/preview-look.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/**
 * Counts the sessions that play now, of each video and of each account, and keeps the largest number of each day, in UTC. Members
 * in the dashboard do not count.
 */
export async function notePeaks(em: EntityManager): Promise<void> {
  await sql`
    insert into audience_peak as p (account_id, video_id, day, sessions, reached_at)
    select s.account_id, coalesce(s.video_id, ''), (now() at time zone 'UTC')::date, count(*), now()
    from playback_record s join account a on a.id = s.account_id and a.deleted_at is null
    where s.is_open and s.ended_at is null and s.last_seen_at > now() - ${PLAYING_SEEN_MS}::int * interval '1 ms'
      and not coalesce(starts_with(s.viewer_id, ${DASHBOARD_VIEWER_PREFIX}), false)
    group by grouping sets ((s.account_id, s.video_id), (s.account_id)) order by 1, 2
    on conflict (account_id, video_id, day) do update set sessions = excluded.sessions, reached_at = excluded.reached_at
      where excluded.sessions > p.sessions`.execute(queries(em))
}
