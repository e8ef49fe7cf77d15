import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isDatabaseAway } from './deadlines.ts'

const RETRY_MS = 1_000

/**
 * Runs a check of a process that starts, and runs it again each second while PostgreSQL cannot be
 * reached. Rejects with any other error of the check.
 */
export async function awaitDatabase<T>(check: () => Promise<T>, logger: Logger): Promise<T> {
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      logger.warn({ err: error }, 'PostgreSQL cannot be reached yet')
      await sleep(RETRY_MS)
    }
  }
}
