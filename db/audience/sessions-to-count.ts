import { sql } from 'kysely'
import type { SessionToCount } from '../../domain/audience/fold-sessions.ts'
import type { SessionMeasures } from '../../domain/audience/session-measures.ts'
import { unpackStretches, type Stretch } from '../../domain/audience/stretches.ts'
import { DASHBOARD_VIEWER_PREFIX } from '../../domain/settings/preview-look.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { keepsTotalsOnly } from './viewer-data.ts'

/** A session is counted once it has sent no heartbeat for so long: three of them, as they come every minute. */
const SILENT_MS = 3 * 60_000
/** One that goes on is counted so often. */
const RECOUNTED_MS = 60 * 60_000

/** A locked session, with what its viewer's progress needs. */
export interface LockedSession extends SessionToCount {
  id: string
  viewerId: string | null
  lastSeenAtMs: number
  positionMs: number | null
  /** It goes on, and is counted again. */
  isAlive: boolean
  /** A member watches in the dashboard: it does not count. */
  isPreview: boolean
  /** Its account keeps nothing of each viewer. */
  isTotalsOnly: boolean
  /** Its account has a record store that takes statements, and keeps more than totals. */
  hasRecordStore: boolean
  /** For a statement; empty without a record store. */
  title: string
  stretches: Stretch[]
}

/** A place in the order of sessions: by start, then by id. */
export type SessionPlace = Pick<LockedSession, 'startedAtMs' | 'id'>

/** Which sessions a batch counts. */
export interface CountOptions {
  /** The place behind which it begins; null for all. */
  after: SessionPlace | null
  limit: number
  silentMs?: number
}

interface Row extends Omit<LockedSession, 'measures' | 'stretches'>, SessionMeasures {
  stretches: Uint8Array | null
}

/**
 * Locks up to `limit` sessions that are to be counted, oldest first, after a place. Those that another transaction has locked are
 * left out. Sessions of deleted accounts are not counted, because they are being removed.
 */
export async function lockSessionsToCount(
  em: EntityManager,
  { after, limit, silentMs = SILENT_MS }: CountOptions,
): Promise<LockedSession[]> {
  // Without statistics of a new partition, PostgreSQL would read and sort all open sessions for each batch.
  await em.execute('set local enable_sort = off')
  const { rows } = await sql<Row>`
    select s.id, s.account_id as "accountId", s.video_id as "videoId", s.viewer_id as "viewerId",
      s.referer_host as "refererHost", s.user_agent as "userAgent", s.position_ms as "positionMs",
      (extract(epoch from s.started_at) * 1000)::float8 as "startedAtMs",
      (extract(epoch from s.last_seen_at) * 1000)::float8 as "lastSeenAtMs", v.duration_ms as "durationMs",
      s.watched_ms as "watchedMs", s.media_ms as "mediaMs", s.parts::text, s.replayed_parts::text as "replayedParts",
      s.first_frame_ms as "firstFrameMs", s.stalls, s.stalled_ms as "stalledMs", s.quality, s.speed, s.error, s.counted,
      s.last_seen_at >= now() - ${ms(silentMs)} as "isAlive",
      coalesce(starts_with(s.viewer_id, ${DASHBOARD_VIEWER_PREFIX}), false) as "isPreview",
      ${sql.raw(keepsTotalsOnly('a'))} as "isTotalsOnly",
      coalesce(r.is_active, false) and not ${sql.raw(keepsTotalsOnly('a'))} as "hasRecordStore",
      coalesce(case when r.is_active then v.title end, '') as title,
      case when r.is_active then s.stretches end as stretches
    from playback_record s
    join account a on a.id = s.account_id and a.deleted_at is null
    left join video v on v.id = s.video_id
    left join record_store r on r.account_id = s.account_id
    where s.is_open
      and (s.last_seen_at < now() - ${ms(silentMs)} or coalesce(s.counted_at, s.started_at) < now() - ${ms(RECOUNTED_MS)})
      and (s.started_at, s.id) > ${placeSql(after)}
    order by s.started_at, s.id limit ${limit}
    for update of s skip locked`.execute(queries(em).withoutPlugins())
  await em.execute('set local enable_sort = on')
  return rows.map(sessionOf)
}

const ms = (count: number) => sql`${count}::float8 * interval '1 ms'`

/** A place as a row of SQL, to be compared with (started_at, id); null is before all others. */
export const placeSql = (place: SessionPlace | null) =>
  sql`(to_timestamp(${(place?.startedAtMs ?? 0) / 1000}::float8), ${place?.id ?? NO_ID}::uuid)`

const NO_ID = '00000000-0000-0000-0000-000000000000'

function sessionOf(row: Row): LockedSession {
  const { watchedMs, mediaMs, parts, replayedParts, firstFrameMs, ...more } = row
  const { stalls, stalledMs, quality, speed, error, stretches, ...session } = more
  const times = { watchedMs, mediaMs, firstFrameMs, stalls, stalledMs }
  return {
    ...session,
    stretches: stretches === null ? [] : unpackStretches(stretches),
    measures: { ...times, parts, replayedParts, quality, speed, error },
  }
}
