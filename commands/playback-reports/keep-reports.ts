import type { EntityManager } from '../../db/database.ts'
import {
  insertPlaybackReports,
  type NewPlaybackReport,
} from '../../db/playback/write-playback-reports.ts'

/** Keeps reports of why videos did not play, in one statement. The first report with a code wins. */
export const keepReports = (
  em: EntityManager,
  reports: readonly NewPlaybackReport[],
): Promise<void> => insertPlaybackReports(em, reports)
