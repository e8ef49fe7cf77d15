import { PLAYBACK_REPORT_KEPT_DAYS } from '../../domain/limits.ts'
import type { EntityManager } from '../database.ts'
import { PlaybackReport } from '../entities/playback-report.ts'
import { daysAgo, queries } from '../queries.ts'

/** A report with the title of its video, if the video is not deleted. */
export interface FoundReport extends PlaybackReport {
  videoTitle: string | null
}

/**
 * Finds the report with a code; null if the account has none that is still kept. Without an account, finds that of any
 * account: for the operator only.
 */
export async function findPlaybackReport(
  em: EntityManager,
  code: string,
  accountId: number | null,
): Promise<FoundReport | null> {
  const query = queries(em)
    .selectFrom('playback_report as r')
    .leftJoin('video as v', (join) =>
      join.onRef('v.id', '=', 'r.videoId').on('v.deletedAt', 'is', null),
    )
    .selectAll('r')
    .select('v.title as videoTitle')
    .where('r.code', '=', code)
    .where('r.createdAt', '>', daysAgo(PLAYBACK_REPORT_KEPT_DAYS))
    .orderBy('r.createdAt')
    .limit(1)
  const rows = await (
    accountId === null ? query : query.where('r.accountId', '=', accountId)
  ).execute()
  return rows[0] ?? null
}
