import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  databaseFaultOf,
  databaseReasonOf,
  describeDatabaseError,
  isDatabaseUnavailable,
} from './errors.ts'

/** PostgreSQL cannot be used; `message` says in one line why, and what to do. */
export class DatabaseUnusableError extends Error {
  override name = 'DatabaseUnusableError'
}

const RETRY_MS = 1_000

/**
 * Runs a check of a process that starts, and repeats it each second while PostgreSQL is unavailable. Throws a
 * DatabaseUnusableError if waiting does not help; rejects with any other error of the check.
 */
export async function awaitDatabase<T>(check: () => Promise<T>, logger: Logger): Promise<T> {
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (databaseFaultOf(error) === 'refused') throw inWords(error)
      if (!isDatabaseUnavailable(error)) throw error
      logger.warn({ err: error }, `waiting: PostgreSQL ${databaseReasonOf(error)}`)
      await sleep(RETRY_MS)
    }
  }
}

/** Returns a DatabaseUnusableError for an error that is about PostgreSQL itself, and any other as it is. */
export function inWords(error: unknown): unknown {
  const words = describeDatabaseError(error)
  return words === null ? error : new DatabaseUnusableError(words, { cause: error })
}
