import type { Logger } from 'pino'
import { hasCommitted, transactionIdOf } from '../../db/accounts/usage.ts'
import { addBandwidth } from '../../db/accounts/write-usage.ts'
import type { Database } from '../../db/database.ts'

const FLUSH_MS = 10_000

export interface BandwidthMeter {
  /** Adds bytes served of a video, without a database query. */
  count: (videoId: string, bytes: number) => void
  /** Writes what was counted since the last flush. */
  flush: () => Promise<void>
  /** Stops the timer and writes the rest. */
  stop: () => Promise<void>
}

/** Bytes whose write got no response to its commit. */
interface Unsure {
  transactionId: string
  counted: ReadonlyMap<string, number>
}

/**
 * Counts the bytes served of each video in memory and writes them to its account every ten seconds. A
 * killed process loses at most that much. If the database is unavailable, the next flush tries again. No bytes are
 * counted twice: after a commit without a response, the next flush asks PostgreSQL whether it was made.
 */
export function startBandwidthMeter(db: Database, logger: Logger): BandwidthMeter {
  let served = new Map<string, number>()
  const count = (videoId: string, bytes: number): void => {
    served.set(videoId, (served.get(videoId) ?? 0) + bytes)
  }
  const countAll = (counted: ReadonlyMap<string, number>): void => {
    for (const [videoId, bytes] of counted) count(videoId, bytes)
  }
  let unsure: Unsure[] = []
  const settle = async (): Promise<void> => {
    for (const one of unsure) {
      const isCounted = await hasCommitted(db.em.fork(), one.transactionId)
      if (isCounted === null || !unsure.includes(one)) continue
      unsure = unsure.filter((other) => other !== one)
      if (!isCounted) countAll(one.counted)
    }
  }
  const write = async (): Promise<void> => {
    const counted = served
    served = new Map()
    if (counted.size === 0) return
    let transactionId: string | null = null
    try {
      await db.em.fork().transactional(async (tx) => {
        transactionId = null
        transactionId = await transactionIdOf(tx)
        await addBandwidth(tx, counted)
      })
    } catch (error) {
      if (transactionId === null) countAll(counted)
      else unsure.push({ transactionId, counted })
      throw error
    }
  }
  const flush = async (): Promise<void> => {
    try {
      await settle()
      await write()
    } catch (error) {
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
