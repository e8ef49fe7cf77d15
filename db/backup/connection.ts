import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { requireSession } from '../pooling.ts'
import { MIGRATION_LOCK, pollForLock } from '../schema/migration-lock.ts'

const CONNECT_TIMEOUT_MS = 10_000

/**
 * Connects without deadlines for statements, because a table may take hours to copy, and without those of the
 * server for idle sessions. Throws a DatabaseUnusableError for a pooler in transaction mode.
 */
export async function connectForBackup(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  // The statement that follows reports a lost connection.
  client.on('error', () => {})
  await client.connect()
  try {
    await requireSession(client, url)
  } catch (error) {
    await client.end()
    throw error
  }
  await client.query(
    `set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
     set idle_session_timeout = 0; set client_encoding = 'UTF8'; set datestyle = 'ISO'`,
  )
  return client
}

/** Rejects if the database does not respond. */
export async function pingForBackup(url: string): Promise<void> {
  const client = await connectForBackup(url)
  await client.end()
}

/** Sends rows in the text format of COPY to a table. */
export async function copyIn(
  client: pg.Client,
  { name, columns }: { name: string; columns: readonly string[] },
  rows: Readable,
): Promise<void> {
  await pipeline(rows, client.query(from(`copy ${tableWith(name, columns)} from stdin`)))
}

/** The name of a table with a list of columns, escaped. */
const tableWith = (name: string, columns: readonly string[]): string =>
  `${pg.escapeIdentifier(name)} (${listOf(columns)})`

/** Names of columns, escaped. */
export const listOf = (columns: readonly string[]): string =>
  columns.map((column) => pg.escapeIdentifier(column)).join(', ')

/** Another process holds the lock. */
export class LockedError extends Error {
  override name = 'LockedError'
}

const BACKUP_LOCK = 7_201_956

/**
 * Runs `work` as the only backup of this database. The lock belongs to a connection, so it ends with a process that
 * is killed; `assertHeld` rejects if that connection was lost. Throws a LockedError while another backup runs.
 */
export async function withBackupLock<T>(
  url: string,
  work: (assertHeld: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const client = await connectForBackup(url)
  try {
    await takeLock(client, BACKUP_LOCK)
    return await work(async () => void (await client.query('select 1')))
  } finally {
    await client.end().catch(() => {})
  }
}

/** Takes a lock of this session. Throws a LockedError if another session has it. */
export async function takeLock(client: pg.Client, lock: number): Promise<void> {
  if (!(await tryLock(client, lock, ''))) throw new LockedError('another process holds the lock')
}

/** Waits until no migration runs, and keeps others from beginning until the connection ends. */
export const takeMigrationLock = (client: pg.Client, mode: '' | '_shared' = ''): Promise<void> =>
  pollForLock(() => tryLock(client, MIGRATION_LOCK, mode))

async function tryLock(client: pg.Client, lock: number, mode: '' | '_shared'): Promise<boolean> {
  const { rows } = await client.query<{ is_taken: boolean }>(
    `select pg_try_advisory_lock${mode}($1) as is_taken`,
    [lock],
  )
  return rows[0]?.is_taken === true
}
