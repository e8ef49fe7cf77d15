import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { Database } from '../database.ts'
import { isLockFailure, isViolation } from '../errors.ts'
import { inTransaction, type Run } from '../schema/transactions.ts'
import type { Partitioned } from './partitioned.ts'

/** How long requests may wait behind a lock that waits. */
const LOCK_TIMEOUT = '200ms'
const TRIES = 40
const RETRY_MS_MAX = 600
/** Held with the hash of a table's name by the only process that changes its partitions. */
export const PARTITIONS_LOCK = 7_201_958

/**
 * Runs `work` in a transaction as the only one that changes the partitions of the table. It is repeated for about 20 s if it does
 * not get its locks, or others wrote what it contradicts. Resolves to null if another process changes them.
 */
export async function changePartitions<T>(
  db: Database,
  { table }: Pick<Partitioned, 'table'>,
  work: (run: Run) => Promise<T>,
): Promise<T | null> {
  const pool = await db.driver.getConnection().getNativeClient()
  for (let tries = 1; ; tries += 1) {
    const client = await pool.connect()
    try {
      return await ifLocked(client, table, work)
    } catch (error) {
      // A new partition is refused if a row of its range came to the default one meanwhile.
      const mayPass = isLockFailure(error) || isViolation(error, 'check')
      if (!mayPass || tries === TRIES) throw error
    } finally {
      client.release()
    }
    await sleep(Math.random() * RETRY_MS_MAX)
  }
}

const ifLocked = <T>(client: PoolClient, table: string, work: (run: Run) => Promise<T>) =>
  inTransaction(client, LOCK_TIMEOUT, async (run) => {
    const [row] = await run<{ held: boolean }>(
      'select pg_try_advisory_xact_lock($1, hashtext($2)) as held',
      [PARTITIONS_LOCK, table],
    )
    return row?.held === true ? work(run) : null
  })
