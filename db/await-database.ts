import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  databaseFaultOf,
  databaseReasonOf,
  describeDatabaseError,
  isDatabaseUnavailable,
} from './errors.ts'

/** PostgreSQL refuses this process until an operator changes a setting; `message` says which, in one line. */
export class DatabaseRefusalError extends Error {
  override name = 'DatabaseRefusalError'
}

const RETRY_MS = 1_000

/**
 * Runs a check of a process that starts, and repeats it each second while PostgreSQL is unavailable. Throws a
 * DatabaseRefusalError if waiting does not help; rejects with any other error of the check.
 */
export async function awaitDatabase<T>(check: () => Promise<T>, logger: Logger): Promise<T> {
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (databaseFaultOf(error) === 'refused')
        throw new DatabaseRefusalError(describeDatabaseError(error) ?? '', { cause: error })
      if (!isDatabaseUnavailable(error)) throw error
      logger.warn({ err: error }, `waiting: PostgreSQL ${databaseReasonOf(error)}`)
      await sleep(RETRY_MS)
    }
  }
}
