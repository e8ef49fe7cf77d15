import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database.ts'

/** Held while the schema changes; shared by a backup while it reads the tables. */
export const MIGRATION_LOCK = 7_201_955

const POLL_MS = 200

/**
 * Repeats `tryLock` until it is true. A statement that waits for a lock has a snapshot for as long, and the
 * `create index concurrently` of the holder would wait for that snapshot, without end.
 */
export async function pollForLock(tryLock: () => Promise<boolean>): Promise<void> {
  while (!(await tryLock())) await sleep(POLL_MS)
}

/**
 * Runs `work` as the only migration of the database, while no backup reads it. The lock belongs to a transaction, so it
 * ends with a process that is killed. `assertHeld` rejects if its connection was lost.
 */
export const withMigrationLock = <T>(
  db: Database,
  work: (assertHeld: () => Promise<void>) => Promise<T>,
): Promise<T> =>
  db.em.fork().transactional(async (em) => {
    await em.execute('set local idle_in_transaction_session_timeout = 0')
    await pollForLock(async () => {
      const sql = 'select pg_try_advisory_xact_lock(?) as held'
      const [row] = await em.execute<{ held: boolean }[]>(sql, [MIGRATION_LOCK])
      return row?.held === true
    })
    return work(async () => void (await em.execute('select 1')))
  })
