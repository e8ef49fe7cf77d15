import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import { addBandwidth } from '../../db/usage.ts'

const FLUSH_MS = 10_000

export interface BandwidthMeter {
  /** Adds bytes that were served of a video; costs no look-up. */
  count: (videoId: string, bytes: number) => void
  /** Writes what was counted since the last time. */
  flush: () => Promise<void>
  /** Writes the rest and counts no more. */
  stop: () => Promise<void>
}

/**
 * Counts what each video was served, in memory, and writes it to its account every ten seconds. A
 * process that is killed loses at most that much; where the database is away, the bytes wait.
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
