import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { keepReports } from '../../../commands/playback-reports/keep-reports.ts'
import type { Database } from '../../../db/database.ts'
import type { NewPlaybackReport } from '../../../db/playback/write-playback-reports.ts'
import { PLAYBACK_REPORT_LIMITS, PLAYBACK_REPORTS_WAITING_MAX } from '../../../domain/limits.ts'
import { PLAYBACK_CAUSES } from '../../../domain/playback-reports/playback-causes.ts'
import { playbackFailures } from '../../../metrics/playback.ts'
import type { ClientNetworks } from '../limits/client-networks.ts'
import { createNetworkLimit } from '../limits/network-limit.ts'
import { createRateLimit } from '../limits/rate-limit.ts'

/** Keeps why videos did not play, as far as there is room. */
export interface ReportRecorder {
  /**
   * Counts a report, logs it and writes it soon, or only counts it: when its account, its viewer or its network has too
   * many. No response waits for it. `networks` are those of a viewer without a valid token.
   */
  note: (report: NewPlaybackReport, networks: ClientNetworks | null) => void
}

/** After each batch, so that the reports of a flood share few statements. */
const PAUSE_MS = 200
const BATCH_MAX = 200

// So that the first failure of each cause is seen as an increase.
for (const cause of Object.keys(PLAYBACK_CAUSES)) playbackFailures.inc({ cause }, 0)

/** Opens a recorder, which uses one connection of the pool at a time. */
export function createReportRecorder({
  db,
  logger,
}: {
  db: Database
  logger: Logger
}): ReportRecorder {
  const hasRoom = reportLimits()
  const waiting: NewPlaybackReport[] = []
  let isWriting = false
  const writeAll = async (): Promise<void> => {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX)
      await keepReports(db.em.fork(), batch).catch((error: unknown) =>
        logger.warn({ err: error, count: batch.length }, 'playback reports were not kept'),
      )
      await sleep(PAUSE_MS)
    }
    isWriting = false
  }
  return {
    note(report, networks) {
      const { accountId, videoId, cause, host, details } = report
      playbackFailures.inc({ cause })
      if (waiting.length >= PLAYBACK_REPORTS_WAITING_MAX || !hasRoom(report, networks)) return
      // No viewer: who it was is in the report alone.
      logger.info({ accountId, videoId, cause, host, details }, 'a video did not play')
      waiting.push(report)
      if (!isWriting) void writeAll()
    },
  }
}

function reportLimits() {
  const { account, origin } = PLAYBACK_REPORT_LIMITS
  const accounts = createRateLimit(account)
  const networks = createNetworkLimit(origin)
  const viewers = createRateLimit(origin)
  const take = (limit: typeof viewers, key: string, nowMs: number): boolean => {
    if (limit.waitMs(key, nowMs) > 0) return false
    limit.spend(key, nowMs)
    return true
  }
  return ({ accountId, viewerId }: NewPlaybackReport, from: ClientNetworks | null): boolean => {
    const nowMs = performance.now()
    const hasOwnRoom =
      viewerId === null
        ? networks.take(from) === 0
        : take(viewers, `${accountId} ${viewerId}`, nowMs)
    return hasOwnRoom && take(accounts, String(accountId), nowMs)
  }
}
