import { readdirSync } from 'node:fs'
import { parse } from 'node:path'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { awaitDatabase, inWords } from './await-database.ts'
import { openDatabase, type Database, type EntityManager } from './database.ts'
import { PARTITIONED_TABLES } from './partitions/partitioned-tables.ts'
import { preparePartitions } from './partitions/write-partitions.ts'
import { requireSessions } from './pooling.ts'
import { queries } from './queries.ts'
import { applyMigrations } from './schema/apply-migrations.ts'
import { withMigrationLock } from './schema/migration-lock.ts'
import { pingDatabase, readServerState } from './upkeep/health.ts'
import { settleOnAnotherServer } from './upkeep/write-server-identity.ts'

/**
 * Migrates the database at `url` to the newest schema. Safe to run twice, also from two processes at
 * the same time, and to kill: the next call continues. Returns the names of the applied migrations. Throws a
 * NewerDatabaseError if a newer version has migrated the database, and a DatabaseUnusableError if PostgreSQL cannot be used.
 */
export async function migrate(url: string): Promise<string[]> {
  const db = await openDatabase({ url, poolSize: 3 })
  try {
    await requireSessions(url)
    return await withMigrationLock(db, async (assertHeld) => {
      await refuseNewerDatabase(db)
      const applied = await applyMigrations(db, { assertHeld })
      await db.em.fork().transactional(settleOnAnotherServer)
      for (const { partitioned } of PARTITIONED_TABLES) await preparePartitions(db, partitioned)
      return applied
    })
  } catch (error) {
    throw inWords(error)
  } finally {
    await db.close(true)
  }
}

/** A newer version of the code has migrated the database; `message` says what to do, in one line. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError'
}

/**
 * Throws a NewerDatabaseError when the database has a migration that this version does not know:
 * old code would write rows that the newer schema does not expect. An empty database passes.
 */
export async function refuseNewerDatabase(db: Database): Promise<void> {
  const known = knownMigrations(db)
  const unknown = (await readMigrations(db.em.fork())).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new NewerDatabaseError(
    `The database was migrated by a newer version of Reelgate: this version does not know ${unknown.join(', ')}. ` +
      'Run that version or a later one, or restore a backup from before the upgrade.',
  )
}

/** The same check at the start of a process that serves: it waits until PostgreSQL takes reads and writes. */
export const awaitKnownSchema = (db: Database, logger: Logger): Promise<void> =>
  awaitDatabase(async () => {
    await pingDatabase(db.em.fork())
    await refuseNewerDatabase(db)
  }, logger)

/** The names of the migrations of this version, in order. */
export const knownMigrations = (db: Database): string[] =>
  readdirSync(migrationsFolder(db))
    .map((file) => parse(file).name)
    .toSorted()

/** The names of the applied migrations, in order. */
export async function readMigrations(em: EntityManager): Promise<string[]> {
  const { isMigrated } = await readServerState(em)
  if (!isMigrated) return []
  const rows = await queries(em)
    .selectFrom(sql<{ id: number; name: string }>`mikro_orm_migrations`.as('m'))
    .select('m.name')
    .orderBy('m.id')
    .execute()
  return rows.map(({ name }) => name)
}

function migrationsFolder(db: Database): string {
  const { path } = db.config.get('migrations')
  if (path === undefined) throw new Error('the database is opened without its migrations')
  return path
}
