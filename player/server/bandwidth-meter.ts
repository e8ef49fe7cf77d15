import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import { addBandwidth } from '../../db/usage.ts'

const FLUSH_MS = 10_000

export interface BandwidthMeter {
  /** Adds bytes served of a video, without a database query. */
  count: (videoId: string, bytes: number) => void
  /** Writes what was counted since the last flush. */
  flush: () => Promise<void>
  /** Stops the timer and writes the rest. */
  stop: () => Promise<void>
}

/**
 * Counts the bytes served of each video in memory and writes them to its account every ten seconds. A
 * killed process loses at most that much. If the database is unavailable, the next flush tries again.
 */
export function startBandwidthMeter(db: Database, logger: Logger): BandwidthMeter {
  let served = new Map<string, number>()
  const count = (videoId: string, bytes: number): void => {
    served.set(videoId, (served.get(videoId) ?? 0) + bytes)
  }
  const flush = async (): Promise<void> => {
    const counted = served
    served = new Map()
    try {
      await addBandwidth(db.em.fork(), counted)
    } catch (error) {
      for (const [videoId, bytes] of counted) count(videoId, bytes)
      logger.warn({ err: error }, 'served bytes could not be written yet')
    }
  }
  const timer = setInterval(() => void flush(), FLUSH_MS).unref()
  return {
    count,
    flush,
    stop: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
