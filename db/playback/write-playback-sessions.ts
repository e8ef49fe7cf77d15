import { sql } from 'kysely'
import type { KeyName } from '../../domain/drm/key-contract.ts'
import type { DomainSettings } from '../../domain/playback/embed-access.ts'
import type { PlaybackReport, PlaybackSession } from '../../domain/playback/playback-session.ts'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import type { Database, EntityManager } from '../database.ts'
import { queries, runStatement } from '../queries.ts'
import {
  MAY_CONTINUE,
  SESSION_COLUMNS,
  SESSION_VALUES,
  sessionValues,
} from './playback-sessions.ts'
import { HOLDS_LEASE, IS_LIMITED } from './stream-leases.ts'
import { leaseQuery } from './write-stream-leases.ts'

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
