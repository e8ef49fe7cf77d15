import { PARTS } from '../../domain/audience/session-measures.ts'
import { packStretches, type Stretch } from '../../domain/audience/stretches.ts'
import type { SessionSettings } from '../../domain/playback/embed-access.ts'
import type { PlaybackReport, PlaybackSession } from '../../domain/playback/playback-session.ts'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import type { Database } from '../database.ts'
import { runStatement } from '../queries.ts'
import { mayContinue, SESSION_COLUMNS } from './playback-sessions.ts'
import { isLimited, NOW_MS } from './stream-leases.ts'
import { rankedLeases } from './write-stream-leases.ts'

/** A heartbeat, and which session it is of. */
export interface Beat {
  session: PlaybackSession
  userAgent: string | null
  report: PlaybackReport
}

/** What the response to a heartbeat says. */
export interface Heartbeat {
  /** How many the video has now. */
  renditions: number
  status: VideoStatus
  /** Those of the account by which a session may be refused. */
  settings: SessionSettings
}

/** The beats as arrays in $1 to $24 (`arraysOf`), of which `place` is the position in them. No two have the same session. */
const BEATS = `beat as materialized (
    select b.*, to_timestamp(b.started_ms / 1000) as started_at
    from unnest($1::uuid[], $2::text[], $3::int[], $4::text[], $5::int[], $6::text[], $7::float8[], $8::text[],
        $9::boolean[], $10::int[], $11::int[], $12::bigint[], $13::boolean[], $14::boolean[], $15::int[], $16::text[],
        $17::text[], $18::text[], $19::int[], $20::int[], $21::int[], $22::int[], $23::int[], $24::text[]) with ordinality
      as b (id, video_id, account_id, viewer_id, secret_version, referer_host, started_ms, user_agent,
        is_member, position_ms, watched_ms, bytes_loaded, is_leaving, is_waiting, media_ms, parts,
        replayed_parts, stretches, first_frame_ms, stalls, stalled_ms, quality, speed, error, place))`

const COLUMNS = {
  videoId: 'beat.video_id',
  accountId: 'beat.account_id',
  viewerId: 'beat.viewer_id',
  secretVersion: 'beat.secret_version',
  startedMs: 'beat.started_ms',
  isMember: 'beat.is_member',
}

/**
 * A viewer who has got no key yet, of a video that cannot be played as a whole, waits: neither a row nor a lease is
 * written. Only then does the server believe the player.
 */
const WAITS = `(beat.is_waiting and v.status in ('queued', 'processing')
  and not exists (select from playback_record e where e.id = beat.id and e.started_at = beat.started_at))`

// All statements lock rows in this order, also those behind the foreign keys of new rows.
const ORDER = 'beat.account_id, beat.video_id, beat.id'

/** Bits of both; null only if both are. */
const united = (column: string): string =>
  `coalesce(s.${column} | excluded.${column}, s.${column}, excluded.${column})`

/** Of a beat that overtook a later one, the later one's value is kept. */
const latest = (column: string): string =>
  `case when excluded.watched_ms >= s.watched_ms then coalesce(excluded.${column}, s.${column}) else s.${column} end`

/** Writes the rows of the sessions that `admission`, a condition on `beat`, `v` and `a`, admits. */
const written = (admission: string): string => `
  written as (
    insert into playback_record as s (${SESSION_COLUMNS}, position_ms, watched_ms, bytes_loaded, media_ms, parts,
      replayed_parts, stretches, first_frame_ms, stalls, stalled_ms, quality, speed, error)
    select beat.id, beat.video_id, beat.account_id, beat.viewer_id, beat.secret_version, beat.referer_host, beat.started_at, beat.user_agent,
      case when beat.position_ms is not null then least(beat.position_ms, v.duration_ms) end,
      coalesce(beat.watched_ms, 0), coalesce(beat.bytes_loaded, 0), coalesce(beat.media_ms, 0),
      ('x' || beat.parts)::bit(${PARTS}), ('x' || beat.replayed_parts)::bit(${PARTS}), decode(beat.stretches, 'hex'),
      beat.first_frame_ms, coalesce(beat.stalls, 0), coalesce(beat.stalled_ms, 0), beat.quality, beat.speed, beat.error
    from beat join video v on v.id = beat.video_id join account a on a.id = beat.account_id
    where ${mayContinue(COLUMNS)} and ${admission}
    order by ${ORDER}
    on conflict (id, started_at) do update set last_seen_at = now(),
      position_ms = coalesce(excluded.position_ms, s.position_ms),
      watched_ms = greatest(s.watched_ms, excluded.watched_ms),
      bytes_loaded = greatest(s.bytes_loaded, excluded.bytes_loaded),
      media_ms = greatest(s.media_ms, excluded.media_ms), parts = ${united('parts')},
      replayed_parts = ${united('replayed_parts')}, stretches = ${latest('stretches')},
      first_frame_ms = coalesce(s.first_frame_ms, excluded.first_frame_ms), stalls = greatest(s.stalls, excluded.stalls),
      stalled_ms = greatest(s.stalled_ms, excluded.stalled_ms), quality = ${latest('quality')}, speed = ${latest('speed')},
      error = case when excluded.watched_ms >= s.watched_ms then excluded.error else s.error end
    where s.ended_at is null
    returning s.id)`

/** What the responses say of the sessions whose ids `accepted` selects. The settings of an account are only in its first row. */
const responses = (accepted: string): string => `
  select beat.place::int, v.status, (select count(*)::int from rendition r where r.video_id = v.id) as renditions,
    a.id as "accountId",
    case when lag(a.id) over (order by a.id, beat.place) is distinct from a.id then
      jsonb_build_object('allowed_domains', a.settings -> 'allowed_domains',
        'blocked_domains', a.settings -> 'blocked_domains', 'direct_play', a.settings -> 'direct_play',
        'watermark', a.settings -> 'watermark')
    end as settings
  from beat join video v on v.id = beat.video_id join account a on a.id = beat.account_id
  where beat.id in (${accepted})
  order by a.id, beat.place`

// Raw and prepared: every player sends heartbeats (see `runStatement`).
const FREE = {
  name: 'playback-heartbeats',
  text: `with ${BEATS}, waiting as (
    select beat.id from beat join video v on v.id = beat.video_id join account a on a.id = beat.account_id
    where ${mayContinue(COLUMNS)} and ${WAITS}),
  ${written(`not ${isLimited(COLUMNS)} and not ${WAITS}`)}
  ${responses('select id from written union all select id from waiting')}`,
}

const SESSION_OF_LEASES = `(select beat.id::text from beat where beat.account_id = l.account_id and beat.viewer_id = l.viewer_id)`

const LEASED = {
  name: 'playback-heartbeats-leased',
  text: `with ${BEATS}, lease as (
    insert into stream_lease as l (account_id, viewer_id, leases)
    select beat.account_id, beat.viewer_id, case when beat.is_leaving then '[]'::jsonb else jsonb_build_array(
      jsonb_build_object('session', beat.id::text, 'started', beat.started_ms, 'renewed', ${NOW_MS})) end
    from beat join video v on v.id = beat.video_id join account a on a.id = beat.account_id
    where ${isLimited(COLUMNS)} and ${mayContinue(COLUMNS)}
      and not exists (select from playback_record e where e.id = beat.id and e.started_at = beat.started_at
        and e.ended_at is not null)
    order by beat.account_id, beat.viewer_id
    on conflict (account_id, viewer_id) do update
      set renewed_at = now(), leases = ${rankedLeases(SESSION_OF_LEASES)}
    returning ${SESSION_OF_LEASES}::uuid as id, l.leases),
  ${
    // An aggregate reads all leases, so all are locked before the first row of a session.
    written(`(not ${isLimited(COLUMNS)}
      or beat.id = any ((select array_agg(lease.id) from lease join beat own on own.id = lease.id
        where own.is_leaving or lease.leases @> jsonb_build_array(jsonb_build_object('session', lease.id::text)))::uuid[]))`)
  }
  ${responses('select id from written')}`,
}

interface Row extends Omit<Heartbeat, 'settings'> {
  place: number
  accountId: number
  settings: SessionSettings | null
}

/**
 * Records heartbeats in one statement; it inserts a session that has no row yet. Totals never decrease. Resolves to null for a session
 * that may not continue, and for each whose plays are limited: `recordLeasedHeartbeats` records those. The sessions of viewers
 * who wait for their video have no row. No two beats may be of the same session.
 */
export const recordFreeHeartbeats = (
  db: Database,
  beats: readonly Beat[],
): Promise<(Heartbeat | null)[]> => record(db, FREE, beats)

/**
 * Records heartbeats of sessions whose plays are limited, in one statement: each takes or renews the lease of its session, or
 * gives it up if the page closes. Resolves to null for a session that may not continue or gets no lease. No two beats may be of the
 * same viewer of an account.
 */
export const recordLeasedHeartbeats = (
  db: Database,
  beats: readonly Beat[],
): Promise<(Heartbeat | null)[]> => record(db, LEASED, beats)

async function record(
  db: Database,
  statement: typeof FREE,
  beats: readonly Beat[],
): Promise<(Heartbeat | null)[]> {
  const rows = await runStatement<Row>(db, statement, arraysOf(beats))
  const responses = beats.map((): Heartbeat | null => null)
  let settings: SessionSettings | null = null
  for (const { place, accountId: _, settings: own, ...row } of rows) {
    settings = own ?? settings
    if (settings) responses[place - 1] = { ...row, settings }
  }
  return responses
}

const arraysOf = (beats: readonly Beat[]): unknown[][] => {
  const column = (of: (beat: Beat) => unknown) => beats.map(of)
  return [
    column(({ session }) => session.sessionId),
    column(({ session }) => session.videoId),
    column(({ session }) => session.accountId),
    column(({ session }) => session.viewerId),
    column(({ session }) => session.secretVersion),
    column(({ session }) => session.refererHost),
    column(({ session }) => session.startedAtMs),
    column(({ userAgent }) => userAgent),
    column(({ session }) => session.isMember ?? false),
    column(({ report }) => report.positionMs),
    column(({ report }) => report.watchedMs),
    column(({ report }) => report.bytesLoaded),
    column(({ report }) => report.isLeaving ?? false),
    column(({ report }) => report.isWaiting ?? false),
    column(({ report }) => report.measures?.mediaMs),
    column(({ report }) => report.measures?.parts),
    column(({ report }) => report.measures?.replayedParts),
    column(({ report }) => hexOf(report.measures?.stretches)),
    column(({ report }) => report.measures?.firstFrameMs),
    column(({ report }) => report.measures?.stalls),
    column(({ report }) => report.measures?.stalledMs),
    column(({ report }) => report.measures?.quality),
    column(({ report }) => report.measures?.speed),
    column(({ report }) => report.measures?.error),
  ]
}

const hexOf = (stretches: readonly Stretch[] | null | undefined): string | null =>
  stretches ? Buffer.from(packStretches(stretches)).toString('hex') : null
