import type { PlaybackSession } from '../../domain/playback/playback-session.ts'
import { keepsTotalsOnly } from '../audience/viewer-data.ts'
import type { EntityManager } from '../database.ts'
import type { PlaybackReport } from '../entities/playback-report.ts'
import { hasNoViewerSql } from './sessions-without-viewer.ts'

/** A report that is to be kept. Its account and its video need not exist. */
export interface NewPlaybackReport extends Omit<PlaybackReport, 'createdAt'> {
  /** That of a player; absent for a page that was refused. */
  session?: Pick<PlaybackSession, 'sessionId' | 'startedAtMs'>
}

/**
 * Inserts reports of why videos did not play. Leaves out those of unknown accounts, and those whose code the account
 * has already: the first one wins. A video of another account is not named, no viewer of an account that keeps totals only, and none
 * whose session has lost them: its player goes on after an erasure. Raw SQL: one statement for all.
 */
export async function insertPlaybackReports(
  em: EntityManager,
  reports: readonly NewPlaybackReport[],
): Promise<void> {
  if (reports.length === 0) return
  await em.execute(
    `insert into playback_report
       (code, account_id, cause, video_id, viewer_id, host, browser, system, details)
     select r.code, a.id, r.cause, v.id,
       case when not ${keepsTotalsOnly('a')} and not ${hasNoViewerSql('r."sessionId"', 'r."startedAtMs"')}
         then r."viewerId" end, r.host, r.browser, r.system, r.details
     from jsonb_to_recordset(?::jsonb) as r (code text, "accountId" int, cause text, "videoId" text,
         "viewerId" text, host text, browser text, system text, details jsonb, "sessionId" uuid, "startedAtMs" float8)
       join account a on a.id = r."accountId" and a.deleted_at is null
       left join video v on v.id = r."videoId" and v.account_id = a.id
     on conflict do nothing`,
    [JSON.stringify(reports.map(rowOf))],
  )
}

const rowOf = ({ session, ...report }: NewPlaybackReport) => ({
  ...report,
  sessionId: session?.sessionId,
  startedAtMs: session?.startedAtMs,
})
