import type { QueryConfig } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database, EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** Counts attempts in windows of a fixed length, which begin with the first attempt of a key. */
export interface GuessWindow {
  /** Counts an attempt; resolves to 0, or to the ms until the window ends if it holds too many. */
  count: (key: string) => Promise<number>
  /** Takes one attempt back. */
  takeBack: (key: string) => Promise<void>
  /** Forgets all attempts of the key. */
  forget: (key: string) => Promise<void>
}

/**
 * Opens a window that allows `attempts` in `seconds` for each key. One statement counts an attempt, so
 * simultaneous requests of all processes share the limit. Keys have up to 200 characters.
 */
export function openGuessWindow(
  db: Database,
  { attempts, seconds }: { attempts: number; seconds: number },
): GuessWindow {
  const limiter = new RateLimiterPostgres({
    storeType: 'client',
    storeClient: { query: (statement: QueryConfig) => runOnPool(db, statement) },
    tableName: 'sign_in_guess',
    tableCreated: true,
    // The nightly purge removes expired keys; a timer for each window would do so in every process.
    clearExpiredByTimeout: false,
    // The same key counts in several windows.
    keyPrefix: `${attempts}/${seconds}`,
    points: attempts,
    duration: seconds,
  })
  return {
    async count(key) {
      try {
        await limiter.consume(key)
        return 0
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return Math.max(1, refused.msBeforeNext)
        throw refused
      }
    },
    async takeBack(key) {
      await limiter.reward(key)
    },
    async forget(key) {
      await limiter.delete(key)
    },
  }
}

/** Deletes up to `limit` keys whose window has ended; returns how many. */
export async function deleteExpiredGuesses(em: EntityManager, limit: number): Promise<number> {
  const expired = queries(em)
    .selectFrom('sign_in_guess')
    .select('key')
    .where('expire', '<', Date.now())
    .limit(limit)
  const { numDeletedRows } = await queries(em)
    .deleteFrom('sign_in_guess')
    .where('key', 'in', expired)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function runOnPool(db: Database, statement: QueryConfig) {
  const pool = await db.driver.getConnection().getNativeClient()
  return pool.query(statement)
}
