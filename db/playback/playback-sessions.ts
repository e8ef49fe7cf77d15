import { sql } from 'kysely'
import { DASHBOARD_VIEWER_PREFIX } from '../../domain/settings/preview-look.ts'
import type { DomainSettings } from '../../domain/playback/embed-access.ts'
import type { KeyName } from '../../domain/drm/key-contract.ts'
import type { PlaybackReport, PlaybackSession, SessionEnd } from '../../domain/playback/playback-session.ts'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import type { Database, EntityManager } from '../database.ts'
import { queries, runStatement } from '../queries.ts'
import { HOLDS_LEASE, IS_LIMITED, lacksLease, leaseQuery } from './stream-leases.ts'

/** A session lasts no longer than the longest viewer token. */
export const LIFETIME = `interval '24 hours'`

/** The columns that a new session fills, and their values in $1 to $8 (`sessionValues`, which has $9 for `IS_LIMITED`). */
export const SESSION_COLUMNS = `id, video_id, account_id, viewer_id, signing_secret_version, referer_host,
  started_at, user_agent`
export const SESSION_VALUES = `$1::uuid, $2::text, $3::int, $4::text, $5::int, $6::text,
  to_timestamp($7::float8 / 1000), $8::text`

export const sessionValues = (session: PlaybackSession, userAgent: string | null): unknown[] => [
  session.sessionId,
  session.videoId,
  session.accountId,
  session.viewerId,
  session.secretVersion,
  session.refererHost,
  session.startedAtMs,
  userAgent,
  session.isMember ?? false,
]

/** Condition on video `v` and account `a` that the session in $1 to $9 may continue, unless it was ended. */
export const MAY_CONTINUE = `v.id = $2 and a.id = $3 and v.account_id = a.id and v.deleted_at is null
  and v.status <> 'failed' and a.signing_secret_version = $5
  and to_timestamp($7::float8 / 1000) > now() - ${LIFETIME}
  and not exists (select from revoked_viewer x where x.account_id = $3 and x.viewer_id = $4)
  and (not $9::boolean or exists (select from membership b where b.account_id = $3
    and $4 = '${DASHBOARD_VIEWER_PREFIX}' || b.member_id))`

// Raw and prepared: every player sends a heartbeat every few seconds (see `runStatement`).
// With leases a statement takes a third longer (measured), so viewers without a limit have their own.
const heartbeat = (admission: string): string => `
    insert into playback_session as s (${SESSION_COLUMNS}, position_ms, watched_ms, bytes_loaded)
    select ${SESSION_VALUES},
      case when $10::int is not null then least($10, v.duration_ms) end,
      coalesce($11::int, 0), coalesce($12::bigint, 0)
    from video v, account a where ${MAY_CONTINUE} and ${admission}
    on conflict (id) do update set last_seen_at = now(),
      position_ms = coalesce(excluded.position_ms, s.position_ms),
      watched_ms = greatest(s.watched_ms, excluded.watched_ms),
      bytes_loaded = greatest(s.bytes_loaded, excluded.bytes_loaded)
    where s.ended_at is null
    returning (select count(*)::int from rendition r where r.video_id = s.video_id) as renditions,
      (select v.status from video v where v.id = s.video_id) as status,
      (select jsonb_build_object('allowed_domains', a.settings -> 'allowed_domains',
          'blocked_domains', a.settings -> 'blocked_domains', 'direct_play', a.settings -> 'direct_play')
        from account a where a.id = s.account_id) as domains`
const HEARTBEAT = { name: 'playback-heartbeat', text: heartbeat(`not ${IS_LIMITED}`) }
const LEASED_HEARTBEAT = {
  name: 'playback-heartbeat-leased',
  text: `with ${leaseQuery(MAY_CONTINUE, '$13::boolean')} ${heartbeat(HOLDS_LEASE)}`,
}

interface Heartbeat {
  /** How many the video has now. */
  renditions: number
  status: VideoStatus
  /** The domain rules of the account. */
  domains: DomainSettings
}

/**
 * Records a heartbeat in one statement, or two if the plays of the viewer are limited; it inserts the session if
 * it has no row yet. Totals never decrease. Resolves to null when the session may not continue. A heartbeat takes
 * or renews the lease of the session; with `isLeaving` it gives the lease up.
 */
export async function recordHeartbeat(
  db: Database,
  session: PlaybackSession,
  userAgent: string | null,
  { positionMs, watchedMs, bytesLoaded, isLeaving = false }: PlaybackReport,
): Promise<Heartbeat | null> {
  const values = [...sessionValues(session, userAgent), positionMs, watchedMs, bytesLoaded]
  const [row] = await runStatement<Heartbeat>(db, HEARTBEAT, values)
  if (row) return row
  const [leased] = await runStatement<Heartbeat>(db, LEASED_HEARTBEAT, [...values, isLeaving])
  return leased ?? null
}

// Raw and prepared: the first frame waits for it (see `runStatement`).
const grant = (admission: string): string => `
    granted as (
      insert into playback_session as s (${SESSION_COLUMNS}, key_grants)
      select ${SESSION_VALUES}, 1 from video v, account a
      where ${MAY_CONTINUE} and ${admission} and v.protection = 'clearkey'
        and cardinality($10::text[]) = (select count(*) from content_key k
          where k.video_id = v.id and k.key_id = any($10))
      on conflict (id) do update set key_grants = s.key_grants + 1, last_seen_at = now()
      where s.ended_at is null
      returning 1)
    select k.key_id as "keyIdHex", k.name, k.sealed_key as "sealedKey"
    from content_key k where k.video_id = $2 and k.key_id = any($10) and exists (select from granted)`
const GRANT = { name: 'playback-grant', text: `with ${grant(`not ${IS_LIMITED}`)}` }
const LEASED_GRANT = {
  name: 'playback-grant-leased',
  text: `with ${leaseQuery(MAY_CONTINUE)}, ${grant(HOLDS_LEASE)}`,
}

export interface GrantedKey {
  keyIdHex: string
  name: KeyName
  sealedKey: string
}

/**
 * Records that a session is given these keys (distinct, in hex) and resolves to them, still sealed: in one
 * statement, or two if the plays of the viewer are limited. Resolves to null when the session may not continue,
 * when it gets no lease, when one of them is not a key of its video, or when the video is not protected by
 * ClearKey.
 */
export async function grantKeys(
  db: Database,
  session: PlaybackSession,
  userAgent: string | null,
  keyIdsHex: string[],
): Promise<GrantedKey[] | null> {
  const values = [...sessionValues(session, userAgent), keyIdsHex]
  const rows = await runStatement<GrantedKey>(db, GRANT, values)
  if (rows.length > 0) return rows
  const leased = await runStatement<GrantedKey>(db, LEASED_GRANT, values)
  return leased.length > 0 ? leased : null
}

/**
 * Why a session may not continue that has just asked for a key, a licence or a renewal; null when it may.
 * `too_many_streams` means that it has no lease.
 */
export async function findSessionEnd(
  em: EntityManager,
  session: PlaybackSession,
): Promise<SessionEnd | null> {
  const { sessionId, videoId, accountId, viewerId, secretVersion, startedAtMs } = session
  const found = await queries(em)
    .selectFrom('account as a')
    .innerJoin('video as v', 'v.accountId', 'a.id')
    .select((eb) => [
      'v.status',
      'a.signingSecretVersion',
      eb
        .exists(
          eb
            .selectFrom('revoked_viewer as x')
            .select('x.viewerId')
            .whereRef('x.accountId', '=', 'a.id')
            .where('x.viewerId', '=', sql<string>`${viewerId}::text`),
        )
        .as('isRevoked'),
      eb
        .exists(
          eb
            .selectFrom('playback_session as s')
            .select('s.id')
            .where('s.id', '=', sessionId)
            .where('s.endedAt', 'is not', null),
        )
        .as('isEnded'),
      eb
        .exists(
          eb
            .selectFrom('membership as b')
            .select('b.memberId')
            .whereRef('b.accountId', '=', 'a.id')
            .where(sql<boolean>`${viewerId}::text = ${DASHBOARD_VIEWER_PREFIX} || b.member_id`),
        )
        .as('namesMember'),
      sql<boolean>`${new Date(startedAtMs)} <= now() - ${sql.raw(LIFETIME)}`.as('isTooOld'),
      lacksLease({
        accountId: eb.ref('a.id'),
        viewerId: eb.val(viewerId),
        sessionId: eb.val(sessionId),
      }).as('lacksLease'),
    ])
    .where('a.id', '=', accountId)
    .where('v.id', '=', videoId)
    .where('v.deletedAt', 'is', null)
    .executeTakeFirst()
  if (!found) return 'video_deleted'
  if (found.signingSecretVersion !== secretVersion) return 'secret_rotated'
  if (found.isRevoked || (session.isMember && !found.namesMember)) return 'viewer_revoked'
  if (found.status === 'failed') return 'video_failed'
  if (found.isEnded || found.isTooOld) return 'session_ended'
  return found.lacksLease && !session.isMember ? 'too_many_streams' : null
}

/**
 * Adds a note to a session, which is inserted if it has no row yet. Returns false, having changed
 * nothing, when the session has this note already.
 */
export async function addSessionNote(
  em: EntityManager,
  session: PlaybackSession,
  userAgent: string | null,
  note: string,
): Promise<boolean> {
  const isNew = sql<boolean>`not (${note}::text = any(playback_session.noted))`
  const noted = await queries(em)
    .insertInto('playback_session')
    .values({
      id: session.sessionId,
      videoId: session.videoId,
      accountId: session.accountId,
      viewerId: session.viewerId,
      signingSecretVersion: session.secretVersion,
      refererHost: session.refererHost,
      startedAt: new Date(session.startedAtMs),
      userAgent,
      noted: [note],
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ noted: sql`array_append(playback_session.noted, ${note}::text)` })
        .where(isNew),
    )
    .returning('id')
    .executeTakeFirst()
  return noted !== undefined
}

/** Ends a session that has a row: it gets no more keys and no more renewals. */
export async function endSession(em: EntityManager, sessionId: string): Promise<void> {
  await queries(em)
    .updateTable('playback_session')
    .set({ endedAt: sql`now()` })
    .where('id', '=', sessionId)
    .where('endedAt', 'is', null)
    .execute()
}
