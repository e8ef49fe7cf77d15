import pg, { type Client } from 'pg'
import { PARTITIONED_TABLES } from '../partitions/partitioned-tables.ts'
import type { PartitionShape } from './snapshot.ts'

/** Replaces the partitions of empty tables by those of a dump, so that each row goes to the partition that it was in. */
export async function makePartitions(client: Client, partitions: PartitionShape[]): Promise<void> {
  for (const table of new Set(partitions.map((one) => one.table))) {
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = to_regclass($1) and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'`,
      [table],
    )
    for (const { name } of rows) await client.query(`drop table ${pg.escapeIdentifier(name)}`)
    await client.query('delete from id_partition where table_name = $1', [table])
  }
  for (const { table, name, bound, openedAt } of partitions) {
    const storage = PARTITIONED_TABLES.find(({ partitioned }) => partitioned.table === table)
      ?.partitioned.storage
    await client.query(
      `create table ${pg.escapeIdentifier(name)} partition of ${pg.escapeIdentifier(table)} ${bound}
       ${storage === undefined ? '' : `with (${storage})`}`,
    )
    if (openedAt !== null)
      await client.query(
        'insert into id_partition (name, table_name, opened_at) values ($1, $2, $3)',
        [name, table, openedAt],
      )
  }
}
