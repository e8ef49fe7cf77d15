import { openDatabase } from './database.ts'
import { settleRestoredEvents } from './events.ts'
import { refuseNewerDatabase } from './schema-version.ts'

/**
 * Brings the database at `url` to the newest schema; safe to run twice and from two processes at
 * once. Returns the names of the migrations that it applied. Throws a NewerDatabaseError for a
 * database of a newer version.
 */
export async function migrate(url: string): Promise<string[]> {
  const orm = await openDatabase({ url, poolSize: 2 })
  const lock = orm.em.fork()
  try {
    // Held by the transaction, so that a process killed in mid-migration frees it.
    return await lock.transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
      await refuseNewerDatabase(orm)
      const applied = await orm.migrator.up()
      await settleRestoredEvents(em)
      return applied.map(({ name }) => name)
    })
  } finally {
    await orm.close(true)
  }
}

const MIGRATION_LOCK = 7_201_955
