import { sql, type RawBuilder } from 'kysely'
import {
  API_KEY_REVOKED_KEPT_DAYS,
  AUDIENCE_HOUR_KEPT_DAYS,
  DEVICE_KEPT_DAYS,
  ENDED_UPLOAD_KEPT_DAYS,
  FAILED_KEPT_DAYS,
  FAILED_SIGN_INS_KEPT_DAYS,
  IMPORT_KEPT_DAYS,
  INVITATION_KEPT_DAYS,
  MEMBER_WITHOUT_ACCOUNT_KEPT_DAYS,
  PLAYBACK_REPORT_KEPT_DAYS,
  STATEMENT_KEPT_DAYS,
} from '../../domain/limits.ts'
import type { Retention } from '../../domain/retention.ts'
import { deleteMembersWithoutAccount } from '../accounts/write-account-deletion.ts'
import { deleteExpiredSessions, expiredViewers } from '../audience/write-expired-viewers.ts'
import type { EntityManager } from '../database.ts'
import { countAffected, daysAgo, queries } from '../queries.ts'
import { deleteRowsOfVideos } from '../videos/write-deleted-videos.ts'
import { dropOldStatements } from '../xapi/write-statements.ts'

/** A month is named by its first day. */
const DAYS_OF_A_MONTH = 31

/** Deletes up to `limit` rows whose retention is over, oldest first; returns how many. */
type DeleteExpired = (em: EntityManager, limit: number) => Promise<number>

/** The deletions of records by the operator's settings, and of what is of no use any more. */
export const expiredRecords = (retention: Retention): DeleteExpired[] => [
  olderThan('audit_entry', 'created_at', retention.auditEntryDays),
  olderThan('usage_day', 'day', retention.usageDays),
  ...expiredAudience(retention),
  olderThan('invitation', 'expires_at', INVITATION_KEPT_DAYS),
  olderThan('failed_sign_in', 'since', FAILED_SIGN_INS_KEPT_DAYS),
  // Nothing is stored of one any more, unless the storage was away for a month.
  olderThan('upload', 'ended_at', ENDED_UPLOAD_KEPT_DAYS, sql`reserved_bytes = 0`),
  olderThan('playback_report', 'created_at', PLAYBACK_REPORT_KEPT_DAYS),
  (em, limit) => dropOldStatements(em, STATEMENT_KEPT_DAYS, limit),
  olderThan('api_key', 'revoked_at', API_KEY_REVOKED_KEPT_DAYS),
  // After its deliveries, which name it.
  olderThan('webhook_replay', 'completed_at', FAILED_KEPT_DAYS + 1),
  olderThan('video_import', 'completed_at', IMPORT_KEPT_DAYS),
  // Without an index on the time of their last use, because each licence changes it in place: read as a whole.
  olderThan('drm_device', 'last_seen_at', DEVICE_KEPT_DAYS, sql`revoked_at is null`),
  olderThan('app_attest_key', 'last_used_at', DEVICE_KEPT_DAYS),
  membersWithoutAccount,
  deletedVideos(retention.deletedVideoDays),
]

const expiredAudience = ({ audienceDays, viewerDays }: Retention): DeleteExpired[] => [
  olderThan('audience_hour', 'hour', AUDIENCE_HOUR_KEPT_DAYS),
  // The last row before the days that are kept has the totals that their differences begin with.
  olderThan(
    'audience_day',
    'day',
    audienceDays,
    sql`exists (select from audience_day l where l.account_id = audience_day.account_id
      and l.video_id = audience_day.video_id and l.day > audience_day.day and l.day < ${daysAgo(audienceDays)})`,
  ),
  olderThan('audience_value', 'day', audienceDays),
  olderThan('audience_retention', 'month', audienceDays + DAYS_OF_A_MONTH),
  olderThan('audience_sketch', 'day', audienceDays),
  olderThan('audience_month', 'month', audienceDays + DAYS_OF_A_MONTH),
  olderThan('audience_peak', 'day', audienceDays),
  expiredViewers('viewer', viewerDays),
  expiredViewers('viewer_progress', viewerDays),
  deleteExpiredSessions,
]

/**
 * Deletes rows whose `column` is more than `days` ago and that match `condition`. Rows that another purge is deleting
 * are skipped.
 */
export const olderThan =
  (
    table: string,
    column: string,
    days: number,
    condition: RawBuilder<unknown> = sql`true`,
  ): DeleteExpired =>
  (em, limit) =>
    countAffected(
      em,
      sql`delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)}
        where ${sql.ref(column)} < ${daysAgo(days)} and ${condition}
        order by ${sql.ref(column)} limit ${limit} for update skip locked))`,
    )

/**
 * Deletes members who belong to no account, are no operators, joined at least 30 days ago, and have no session, as
 * each one does at most 30 days after the last sign-in.
 */
const membersWithoutAccount: DeleteExpired = (em, limit) =>
  em.transactional(async (tx) => {
    const rows = await queries(tx)
      .selectFrom('member as m')
      .select('m.id')
      .where('m.isOperator', '=', false)
      .where('m.createdAt', '<', daysAgo(MEMBER_WITHOUT_ACCOUNT_KEPT_DAYS))
      .where(sql<boolean>`not exists (select from membership s where s.member_id = m.id)`)
      .where(sql<boolean>`not exists (select from dashboard_session d where d.member_id = m.id)`)
      .limit(limit)
      .execute()
    return deleteMembersWithoutAccount(
      tx,
      rows.map(({ id }) => id),
    )
  })

/**
 * Deletes the rows of deleted videos. One whose playback sessions are still kept stays until they are deleted, because
 * they name it.
 */
const deletedVideos =
  (days: number): DeleteExpired =>
  (em, limit) =>
    em.transactional(async (tx) => {
      const expired = await queries(tx)
        .selectFrom('video as v')
        .select('v.id')
        .where('v.removedAt', '<', daysAgo(days))
        .where(sql<boolean>`not exists (select from playback_record s where s.video_id = v.id)`)
        .orderBy('v.removedAt')
        .limit(limit)
        .forUpdate('v')
        .skipLocked()
        .execute()
      await deleteRowsOfVideos(
        tx,
        expired.map(({ id }) => id),
      )
      return expired.length
    })
