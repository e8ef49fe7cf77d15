import { openDatabase } from './database.ts'
import { settleRestoredEvents } from './events.ts'

/** Brings the database at `url` to the newest schema; safe to run twice and from two processes at once. */
export async function migrate(url: string): Promise<void> {
  const orm = await openDatabase({ url, poolSize: 2 })
  const lock = orm.em.fork()
  try {
    // Held by the transaction, so that a process killed in mid-migration frees it.
    await lock.transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
      await orm.migrator.up()
      await settleRestoredEvents(em)
    })
  } finally {
    await orm.close(true)
  }
}

const MIGRATION_LOCK = 7_201_955
