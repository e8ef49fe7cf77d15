import type { Readable } from 'node:stream'
import { IsolationLevel } from '@mikro-orm/core'
import pg, { type Client } from 'pg'
import { to } from 'pg-copy-streams'
import { openDatabase, type Database, type EntityManager } from '../database.ts'
import { PARTITIONED_TABLES } from '../partitions/partitioned-tables.ts'
import { connectForBackup, listOf, takeMigrationLock } from './connection.ts'

/** A table without its generated columns, which PostgreSQL computes again. */
export interface TableShape {
  name: string
  columns: string[]
}

/** The last number that a sequence gave; null if it gave none. */
export interface SequenceState {
  name: string
  lastValue: number | null
}

/** A partition, but for the default ones. */
export interface PartitionShape {
  table: string
  name: string
  /** As PostgreSQL writes it: `FOR VALUES FROM ('1') TO ('2')`. */
  bound: string
  /** Null of a partition by time, and of one that has no row yet. */
  openedAt: string | null
}

/** The whole database at one moment, while others write to it. */
export interface Snapshot {
  takenAt: Date
  serverVersion: string
  tables: TableShape[]
  sequences: SequenceState[]
  partitions: PartitionShape[]
  /** Reads the same moment. */
  em: EntityManager
  /** The rows of a table in the text format of COPY; one table at a time. */
  copyOut(table: TableShape): Readable & { rowCount: number }
}

/**
 * Runs `work` with a snapshot, in transactions that only read. Until then no migration runs: one that is running is
 * waited for. Like pg_dump, it keeps PostgreSQL from removing old versions of rows.
 */
export async function withSnapshot<T>(
  url: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const db = await openDatabase({ url, poolSize: 1 })
  const client = await connectForBackup(url).catch(async (error: unknown) => {
    await db.close(true)
    throw error
  })
  try {
    await takeMigrationLock(client, '_shared')
    await client.query('begin isolation level repeatable read, read only')
    const { id, takenAt, serverVersion } = await exportSnapshot(client)
    const facts = { takenAt, serverVersion, ...(await readShapes(client, tablesOf(db))) }
    const copyOut = ({ name, columns }: TableShape) =>
      // A query, because PostgreSQL copies no partitioned table by its name.
      client.query(
        to(`copy (select ${listOf(columns)} from ${pg.escapeIdentifier(name)}) to stdout`),
      )
    return await db.em.fork().transactional(
      async (em) => {
        await em.execute(`set transaction snapshot '${id}'`)
        return work({ ...facts, em, copyOut })
      },
      { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true },
    )
  } finally {
    await client.end().catch(() => {})
    await db.close(true)
  }
}

/** The names of the tables that hold the record. */
export const tablesOf = (db: Database): string[] =>
  [...db.getMetadata().getAll().values()].map(({ tableName }) => tableName)

async function exportSnapshot(client: Client) {
  const { rows } = await client.query<{ id: string; taken_at: Date; server_version: string }>(
    `select pg_export_snapshot() as id, clock_timestamp() as taken_at,
       current_setting('server_version') as server_version`,
  )
  const [row] = rows
  if (!row || !/^[0-9A-F-]+$/i.test(row.id)) throw new Error('PostgreSQL exported no snapshot')
  return { id: row.id, takenAt: row.taken_at, serverVersion: row.server_version }
}

async function readShapes(client: Client, names: string[]) {
  const { rows: tables } = await client.query<TableShape>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relname = any ($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
    [names],
  )
  const { rows: sequences } = await client.query<{ name: string; last_value: string | null }>(
    `select sequencename as name, last_value from pg_sequences
     where schemaname = current_schema() and sequencename not like 'mikro\\_orm\\_%' order by 1`,
  )
  const { rows: partitions } = await client.query<PartitionShape>(
    `select p.relname as table, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound,
       to_char(o.opened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "openedAt"
     from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
       left join id_partition o on o.name = c.relname
     where p.relname = any ($1) and p.relkind = 'p' and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT' order by 1, 2`,
    [PARTITIONED_TABLES.map(({ partitioned }) => partitioned.table)],
  )
  return {
    tables,
    partitions,
    sequences: sequences.map(({ name, last_value: last }) => ({
      name,
      lastValue: last === null ? null : Number(last),
    })),
  }
}
