import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { moveWatermark } from '../db/webhooks/write-event-watermark.ts'

const MOVE_MS = 1_000

interface WatermarkOptions {
  db: Database
  logger: Logger
  /** Whether this relay is one of the active ones. */
  isActive: () => boolean
}

/**
 * Moves the watermark of settled events each second while the relay is active, until `signal` aborts. While PostgreSQL is away,
 * nothing moves, and readers use their snapshots.
 */
export async function keepWatermark(
  signal: AbortSignal,
  { db, logger, isActive }: WatermarkOptions,
): Promise<void> {
  while (!signal.aborted) {
    if (isActive())
      await moveWatermark(db.em.fork()).catch((error: unknown) =>
        logger.debug({ err: error }, 'the watermark of events cannot be moved'),
      )
    await sleep(MOVE_MS, undefined, { signal }).catch(() => {})
  }
}
