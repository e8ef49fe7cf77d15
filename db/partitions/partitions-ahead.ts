import type { EntityManager } from '../database.ts'
import { runOn, tableExists, type Run } from '../schema/transactions.ts'
import { PARTITIONED_TABLES } from './partitioned-tables.ts'
import { defaultOf, readPartitions, type Partitioned } from './partitioned.ts'

/** Whether rows of a table will have a partition. */
export interface PartitionsAhead {
  table: string
  /** How many partitions have no row yet, after the one that takes rows now. */
  ahead: number
  /** Whether rows came to the default partition, because none took them. */
  hasRowsInDefault: boolean
}

/** Reads of every partitioned table how many partitions are ahead; nothing before the tables are partitioned. */
export async function readPartitionsAhead(em: EntityManager): Promise<PartitionsAhead[]> {
  const run = runOn(await em.getConnection().getNativeClient())
  if (!(await tableExists(run, 'id_partition'))) return []
  return Promise.all(PARTITIONED_TABLES.map(({ partitioned }) => readAhead(run, partitioned)))
}

async function readAhead(run: Run, partitioned: Partitioned): Promise<PartitionsAhead> {
  const { table, by } = partitioned
  const current =
    by === 'id'
      ? `select last_value::float8 as at from ${partitioned.sequence}`
      : 'select extract(epoch from now())::float8 * 1000 as at'
  const [row] = await run<{ at: number }>(current)
  const partitions = await readPartitions(run, partitioned)
  const inDefault = await run(`select from ${defaultOf(table)} limit 1`)
  return {
    table,
    ahead: partitions.filter(({ from }) => (from ?? 0) > (row?.at ?? 0)).length,
    hasRowsInDefault: inDefault.length > 0,
  }
}
