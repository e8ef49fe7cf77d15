import type { Database } from '../../db/database.ts'
import {
  recordFreeHeartbeats,
  recordLeasedHeartbeats,
  type Beat,
  type Heartbeat,
} from '../../db/playback/write-heartbeats.ts'
import { timedBatches } from '../../db/timed-batches.ts'
import type { PlaybackReport, PlaybackSession } from '../../domain/playback/playback-session.ts'

/** How long a heartbeat waits for others to share its commit. */
export const HEARTBEAT_BATCH_MS = 50
const SIZE_MAX = 200
/** Keys, which the first frame waits for, have the other connections. */
const AT_ONCE = 2
/** More than a process can receive while its database does not respond (`REQUEST_DEADLINES`). */
const WAITING_MAX = 5_000
/** Of one session, or of one viewer whose plays are limited: these are decided one after the other. */
const WAITING_OF_KEY_MAX = 100
const LIMITS = {
  sizeMax: SIZE_MAX,
  atOnce: AT_ONCE,
  waitingMax: WAITING_MAX,
  waitingOfKeyMax: WAITING_OF_KEY_MAX,
}

/** Records the heartbeats that a process receives, in batches. */
export interface Heartbeats {
  /** Resolves after the commit; to null when the session may not continue. */
  record(
    session: PlaybackSession,
    userAgent: string | null,
    report: PlaybackReport,
  ): Promise<Heartbeat | null>
  /** Sends the open batch, and resolves when no heartbeat waits any more. */
  close(): Promise<void>
}

/**
 * Opens the batches of a process. Most heartbeats are of viewers without a limit; the others have a second statement,
 * which has one session of each viewer, so that PostgreSQL decides in one order who plays.
 */
export function openHeartbeats(db: Database): Heartbeats {
  const free = timedBatches<Beat, Heartbeat | null>({
    ...LIMITS,
    run: (beats) => recordFreeHeartbeats(db, beats),
    keyOf: ({ session }) => session.sessionId,
    waitMs: HEARTBEAT_BATCH_MS,
  })
  const leased = timedBatches<Beat, Heartbeat | null>({
    ...LIMITS,
    run: (beats) => recordLeasedHeartbeats(db, beats),
    keyOf: ({ session }) => `${session.accountId} ${session.viewerId}`,
    waitMs: 0,
  })
  return {
    async record(session, userAgent, report) {
      const beat = { session, userAgent, report }
      const found = await free.add(beat)
      if (found || session.viewerId === null || session.isMember) return found
      return leased.add(beat)
    },
    async close() {
      await free.close()
      await leased.close()
    },
  }
}
