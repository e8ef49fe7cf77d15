import { readdirSync } from 'node:fs'
import { parse } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.ts'

/** A newer version of the code has migrated the database; `message` says what to do, in one line. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError'
}

/**
 * Throws a NewerDatabaseError when the database has a migration that this version does not know:
 * old code would write rows that the newer schema does not expect. An empty database passes.
 */
export async function refuseNewerDatabase(db: Database): Promise<void> {
  const em = db.em.fork()
  const [table] = await em.execute<{ exists: boolean }[]>(
    `select to_regclass('mikro_orm_migrations') is not null as exists`,
  )
  if (!table?.exists) return
  const executed = await em.execute<{ name: string }[]>(
    'select name from mikro_orm_migrations order by id',
  )
  const known = new Set(readdirSync(migrationsFolder(db)).map((file) => parse(file).name))
  const unknown = executed.map(({ name }) => name).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new NewerDatabaseError(
    `The database was migrated by a newer version of Reelgate: this version does not know ${unknown.join(', ')}. ` +
      'Run that version or a later one, or restore a backup from before the upgrade.',
  )
}

const RETRY_MS = 1_000
/** Wrong user or password; no such database. */
const REFUSED = /^(28|3D)/

/**
 * The same check at the start of a process that serves. While PostgreSQL does not answer it tries
 * again each second and calls `onRetry`. Throws when PostgreSQL refuses the connection.
 */
export async function awaitKnownSchema(
  db: Database,
  onRetry: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    try {
      return await refuseNewerDatabase(db)
    } catch (error) {
      const { code } = error as { code?: unknown }
      if (error instanceof NewerDatabaseError || REFUSED.test(String(code))) throw error
      onRetry(error)
      await sleep(RETRY_MS)
    }
  }
}

function migrationsFolder(db: Database): string {
  const { path } = db.config.get('migrations')
  if (path === undefined) throw new Error('the database is opened without its migrations')
  return path
}
