import { sql } from 'kysely'
import type { PlaybackSession, SessionEnd } from '../../domain/playback/playback-session.ts'
import { DASHBOARD_VIEWER_PREFIX } from '../../domain/settings/preview-look.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { isRevokedSql } from './revoked-viewers.ts'
import { lacksLease, type SessionRefs } from './stream-leases.ts'

/** A session lasts no longer than the longest viewer token. */
export const LIFETIME = `interval '24 hours'`

/** When the session in $1 to $8 began: by it PostgreSQL reads one partition. */
export const STARTED_AT = `to_timestamp($7::float8 / 1000)`

/** The columns that a new session fills, and their values in $1 to $8 (`sessionValues`, which has $9 for `IS_LIMITED`). */
export const SESSION_COLUMNS = `id, video_id, account_id, viewer_id, signing_secret_version, referer_host,
  started_at, user_agent`

export const SESSION_VALUES = `$1::uuid, $2::text, $3::int, $4::text, $5::int, $6::text,
  ${STARTED_AT}, $8::text`

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

/** Condition on video `v` and account `a` that a session may continue, unless it was ended. */
export const mayContinue = (s: SessionRefs): string => `
  v.id = ${s.videoId} and a.id = ${s.accountId} and v.account_id = a.id and v.deleted_at is null
  and v.status <> 'failed' and a.signing_secret_version = ${s.secretVersion}
  and to_timestamp(${s.startedMs} / 1000) > now() - ${LIFETIME}
  and not ${isRevokedSql(s.accountId, s.viewerId)}
  and (not ${s.isMember} or exists (select from membership b where b.account_id = ${s.accountId}
    and ${s.viewerId} = '${DASHBOARD_VIEWER_PREFIX}' || b.member_id))`

/** The same for the session in $1 to $9. */
export const MAY_CONTINUE = mayContinue({
  videoId: '$2',
  accountId: '$3',
  viewerId: '$4',
  secretVersion: '$5',
  startedMs: '$7::float8',
  isMember: '$9::boolean',
})

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
            .where(
              sql<boolean>`x.viewer_id in (${viewerId}::text, erased_viewer(a.id, ${viewerId}::text))`,
            ),
        )
        .as('isRevoked'),
      eb
        .exists(
          eb
            .selectFrom('playback_record as s')
            .select('s.id')
            .where('s.id', '=', sessionId)
            .where('s.startedAt', '=', new Date(startedAtMs))
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
