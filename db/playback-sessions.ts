import type { PlaybackReport } from '../domain/playback-report.ts'
import type { PlaybackSession, SessionEnd } from '../domain/playback-session.ts'
import type { TrackType } from '../domain/rendition.ts'
import type { Database, EntityManager } from './database.ts'
import { runStatement } from './statement.ts'

/** A session lasts no longer than the longest viewer token. */
const LIFETIME = `interval '24 hours'`

const COLUMNS = `id, video_id, account_id, viewer_id, signing_secret_version, referer_host,
  started_at, user_agent`
const VALUES = `$1::uuid, $2::text, $3::int, $4::text, $5::int, $6::text,
  to_timestamp($7::float8 / 1000), $8::text`

const valuesOf = (session: PlaybackSession, userAgent: string | null): unknown[] => [
  ...[session.sessionId, session.videoId, session.accountId, session.viewerId],
  ...[session.secretVersion, session.refererHost, session.startedAtMs, userAgent],
]

/** Of video `v` and account `a`, for the session in $1 to $8: it may go on, unless it was ended. */
const GOES_ON = `v.id = $2 and a.id = $3 and v.account_id = a.id and v.deleted_at is null
  and v.status in ('playable', 'ready') and a.signing_secret_version = $5
  and to_timestamp($7::float8 / 1000) > now() - ${LIFETIME}
  and not exists (select from revoked_viewer x where x.account_id = $3 and x.viewer_id = $4)`

const HEARTBEAT = {
  name: 'playback-heartbeat',
  text: `
    insert into playback_session as s (${COLUMNS}, position_ms, watched_ms, bytes_loaded)
    select ${VALUES}, 
      case when $9::int is not null then least($9, v.duration_ms) end,
      coalesce($10::int, 0), coalesce($11::bigint, 0)
    from video v, account a where ${GOES_ON}
    on conflict (id) do update set last_seen_at = now(),
      position_ms = coalesce(excluded.position_ms, s.position_ms),
      watched_ms = greatest(s.watched_ms, excluded.watched_ms),
      bytes_loaded = greatest(s.bytes_loaded, excluded.bytes_loaded)
    where s.ended_at is null
    returning (select count(*)::int from rendition r where r.video_id = s.video_id) as renditions`,
}

/**
 * Records a heartbeat in one statement, and the session with its first; the totals never decrease.
 * Resolves to how many renditions the video has now, or to null where the session may not go on.
 */
export async function recordHeartbeat(
  db: Database,
  session: PlaybackSession,
  userAgent: string | null,
  { positionMs, watchedMs, bytesLoaded }: PlaybackReport,
): Promise<number | null> {
  const [row] = await runStatement<{ renditions: number }>(db, HEARTBEAT, [
    ...[...valuesOf(session, userAgent), positionMs, watchedMs, bytesLoaded],
  ])
  return row?.renditions ?? null
}

const GRANT = {
  name: 'playback-grant',
  text: `
    with granted as (
      insert into playback_session as s (${COLUMNS}, key_grants)
      select ${VALUES}, 1 from video v, account a
      where ${GOES_ON} and v.protection = 'clearkey'
        and cardinality($9::text[]) = (select count(*) from content_key k
          where k.video_id = v.id and k.key_id = any($9))
      on conflict (id) do update set key_grants = s.key_grants + 1, last_seen_at = now()
      where s.ended_at is null
      returning 1)
    select k.key_id as "keyIdHex", k.track_type as "trackType", k.sealed_key as "sealedKey"
    from content_key k where k.video_id = $2 and k.key_id = any($9) and exists (select from granted)`,
}

export interface GrantedKey {
  keyIdHex: string
  trackType: TrackType
  sealedKey: string
}

/**
 * Records that a session is given these keys (different ones, in hex), and resolves to them, still
 * sealed, in one statement; null where the session may not go on, where one of them is not a key of
 * its video, or where the video is not protected by ClearKey.
 */
export async function grantKeys(
  db: Database,
  session: PlaybackSession,
  userAgent: string | null,
  keyIdsHex: string[],
): Promise<GrantedKey[] | null> {
  const values = [...valuesOf(session, userAgent), keyIdsHex]
  const rows = await runStatement<GrantedKey>(db, GRANT, values)
  return rows.length > 0 ? rows : null
}

/** Why a session may not go on; null where it may. */
export async function findSessionEnd(
  em: EntityManager,
  { sessionId, videoId, accountId, viewerId, secretVersion, startedAtMs }: PlaybackSession,
): Promise<SessionEnd | null> {
  const [row] = await em.execute<{ reason: SessionEnd | null }[]>(
    `select case
       when v.id is null or v.deleted_at is not null then 'video_deleted'
       when a.signing_secret_version <> ? then 'secret_rotated'
       when exists (select from revoked_viewer x where x.account_id = a.id and x.viewer_id = ?)
         then 'viewer_revoked'
       when v.status not in ('playable', 'ready')
         or to_timestamp(?::float8 / 1000) <= now() - ${LIFETIME}
         or exists (select from playback_session s where s.id = ? and s.ended_at is not null)
         then 'session_ended' end as reason
     from account a left join video v on v.id = ? and v.account_id = a.id where a.id = ?`,
    [secretVersion, viewerId, startedAtMs, sessionId, videoId, accountId],
  )
  return row ? row.reason : 'video_deleted'
}

/** Adds a note to a session, which is inserted if it has no row yet; returns false when the note is there already. */
export async function addSessionNote(
  em: EntityManager,
  session: PlaybackSession,
  userAgent: string | null,
  note: string,
): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `insert into playback_session as s (${COLUMNS}, noted)
     values (?, ?, ?, ?, ?, ?, to_timestamp(?::float8 / 1000), ?, array[?::text])
     on conflict (id) do update set noted = array_append(s.noted, ?::text)
     where not (?::text = any(s.noted)) returning 1`,
    [...valuesOf(session, userAgent), note, note, note],
  )
  return rows.length > 0
}

/** Ends a session that has a row: it gets no more keys and no more renewals. */
export async function endSession(em: EntityManager, sessionId: string): Promise<void> {
  await em.execute(
    'update playback_session set ended_at = now() where id = ? and ended_at is null',
    [sessionId],
  )
}
