import type { Readable } from 'node:stream'
import pg, { type Client } from 'pg'
import { openDatabase, type Database } from '../database.ts'
import { knownMigrations, migrate, readMigrations } from '../migrate.ts'
import { applyMigrations } from '../schema/apply-migrations.ts'
import { connectForBackup, copyIn, takeMigrationLock } from './connection.ts'
import { makePartitions } from './make-partitions.ts'
import { tablesOf, type PartitionShape, type SequenceState, type TableShape } from './snapshot.ts'

/** What a backup holds of a database. */
export interface Dump {
  /** The name of the backup. */
  name: string
  /** The migrations that its tables have, in order. */
  migrations: string[]
  tables: (TableShape & { rows: () => Readable })[]
  sequences: SequenceState[]
  partitions: PartitionShape[]
}

/** The database cannot take the dump; `message` says why, in one line. */
export class NotLoadableError extends Error {
  override name = 'NotLoadableError'
  readonly reason: 'newer' | 'not_empty'

  constructor(reason: NotLoadableError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Tables whose rows migrations insert: those of the dump replace them. */
const FILLED_BY_MIGRATIONS = ['backfill']

/** Exists from the load of a dump until the end of its restore. */
const MARK = 'reelgate_restore'

/**
 * How far each sequence moves beyond the dump. Numbers that were given after the dump are not given a second time:
 * a receiver of webhooks would take another delivery with a known number for a repeated one.
 */
const SEQUENCE_GAP = 1_000_000

/**
 * Throws a NotLoadableError unless this version knows the schema of the dump and the database is empty, or a
 * restore of this dump into it was interrupted. Changes nothing.
 */
export const assertLoadable = (
  url: string,
  dump: Omit<Dump, 'tables' | 'sequences' | 'partitions'>,
) => withBoth(url, (db, client) => checkLoadable(db, client, dump))

/**
 * Loads the dump in one transaction, after it has made its tables, and then migrates them to the schema of this
 * version. Safe to repeat after a kill, until `finishLoad`. Throws a NotLoadableError as above.
 */
export async function loadDump(url: string, dump: Dump): Promise<void> {
  await withBoth(url, async (db, client) => {
    await takeMigrationLock(client)
    await checkLoadable(db, client, dump)
    if ((await readMark(client)) !== null) return
    const applied = await readMigrations(db.em.fork())
    const missing = dump.migrations.filter((name) => !applied.includes(name))
    await applyMigrations(db, { names: missing })
    await inTransaction(client, () => copyRows(client, dump))
    await client.query('analyze')
  })
  await migrate(url)
}

/** Ends a restore by removing its mark. */
export const finishLoad = (url: string): Promise<void> =>
  withBoth(url, async (_db, client) => void (await client.query(`drop table if exists ${MARK}`)))

async function checkLoadable(
  db: Database,
  client: Client,
  { name, migrations }: Omit<Dump, 'tables' | 'sequences' | 'partitions'>,
): Promise<void> {
  const known = knownMigrations(db)
  const unknown = migrations.filter((migration) => !known.includes(migration))
  if (unknown.length > 0)
    throw new NotLoadableError(
      'newer',
      `The backup ${name} was made by a newer version of Reelgate: this version does not know ${unknown.join(', ')}. Restore it with that version or a later one.`,
    )
  const mark = await readMark(client)
  if (mark === name) return
  if (mark !== null || (await hasRows(db, client)))
    throw new NotLoadableError(
      'not_empty',
      'The database is not empty: a restore needs one without any rows. Create another database and set DATABASE_URL.',
    )
  const applied = await readMigrations(db.em.fork())
  if (applied.some((migration) => !migrations.includes(migration)))
    throw new NotLoadableError(
      'not_empty',
      'The database has no rows, but tables of a newer schema than the backup. Drop it and create it again.',
    )
}

async function hasRows(db: Database, client: Client): Promise<boolean> {
  for (const table of tablesOf(db).filter((one) => !FILLED_BY_MIGRATIONS.includes(one))) {
    const name = pg.escapeIdentifier(table)
    if (!(await exists(client, name))) continue
    if ((await client.query(`select 1 from ${name} limit 1`)).rowCount !== 0) return true
  }
  return false
}

async function exists(client: Client, table: string): Promise<boolean> {
  const { rowCount } = await client.query('select where to_regclass($1) is not null', [table])
  return rowCount === 1
}

async function readMark(client: Client): Promise<string | null> {
  if (!(await exists(client, MARK))) return null
  return (
    (await client.query<{ backup: string }>(`select backup from ${MARK}`)).rows[0]?.backup ?? ''
  )
}

async function copyRows(client: Client, dump: Dump): Promise<void> {
  await makePartitions(client, dump.partitions)
  for (const name of await parentsFirst(client)) {
    const table = dump.tables.find((one) => one.name === name)
    if (table) await copyAsDumped(client, table)
  }
  for (const { name, lastValue } of dump.sequences)
    if (lastValue !== null)
      await client.query(
        `select setval(format('%I', sequencename)::regclass, least($2::bigint + ${SEQUENCE_GAP}, max_value))
         from pg_sequences where schemaname = current_schema() and sequencename = $1`,
        [name, lastValue],
      )
  // The next migration then looks at the order of the events, whatever server it ran on before.
  if (await exists(client, 'database_server')) await client.query('delete from database_server')
  await client.query(`create table ${MARK} (backup text not null)`)
  await client.query(`insert into ${MARK} values ($1)`, [dump.name])
}

/** Copies the rows of a table without its triggers: the dump has what they wrote. */
async function copyAsDumped(client: Client, table: Dump['tables'][number]): Promise<void> {
  const tables = await withPartitions(client, table.name)
  for (const name of tables) await client.query(`alter table ${name} disable trigger user`)
  if (FILLED_BY_MIGRATIONS.includes(table.name))
    await client.query(`delete from ${pg.escapeIdentifier(table.name)}`)
  await copyIn(client, table, table.rows())
  for (const name of tables) await client.query(`alter table ${name} enable trigger user`)
}

/** The names of the table and its partitions, which have triggers of their own. */
async function withPartitions(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select coalesce(t.relid, s.relid)::text as name
     from (select $1::regclass as relid) s left join pg_partition_tree(s.relid) t on true`,
    [pg.escapeIdentifier(table)],
  )
  return rows.map(({ name }) => name)
}

/** The tables in an order in which each follows those that its foreign keys name. */
async function parentsFirst(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; parents: string[] }>(
    `select c.relname as name, coalesce(array_agg(p.relname::text) filter (where p.oid <> c.oid), '{}') as parents
     from pg_class c left join pg_constraint f on f.conrelid = c.oid and f.contype = 'f'
       left join pg_class p on p.oid = f.confrelid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition group by c.relname order by 1`,
  )
  const ordered: string[] = []
  for (let left = rows; left.length > 0;) {
    const next = left.filter(({ parents }) => parents.every((name) => ordered.includes(name)))
    if (next.length === 0) throw new Error('the foreign keys of the tables form a circle')
    ordered.push(...next.map(({ name }) => name))
    left = left.filter((table) => !next.includes(table))
  }
  return ordered
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function withBoth<T>(
  url: string,
  work: (db: Database, client: Client) => Promise<T>,
): Promise<T> {
  const db = await openDatabase({ url, poolSize: 2 })
  try {
    const client = await connectForBackup(url)
    try {
      return await work(db, client)
    } finally {
      await client.end().catch(() => {})
    }
  } finally {
    await db.close(true)
  }
}
