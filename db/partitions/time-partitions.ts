import type { Run } from '../schema/transactions.ts'
import {
  boundOf,
  createPartition,
  defaultOf,
  periodStart,
  readPartitions,
  type PartitionedByTime,
} from './partitioned.ts'

const PERIODS_AHEAD = 8

/**
 * Creates the partitions of this period and the next ones that are missing. One whose rows are in the default partition, because none
 * was created for long, stays there. Returns the names of the new ones.
 */
export async function openTimePartitions(run: Run, table: PartitionedByTime): Promise<string[]> {
  const partitions = await readPartitions(run, table)
  const [row] = await run<{ now: Date }>('select clock_timestamp() as now')
  const nowMs = row?.now.getTime() ?? 0
  const created: string[] = []
  for (let ahead = 0; ahead <= (table.periodsAhead ?? PERIODS_AHEAD); ahead += 1) {
    const from = periodStart(nowMs, table.period, ahead)
    const to = periodStart(nowMs, table.period, ahead + 1)
    const exists = partitions.some(
      (one) => (one.from ?? -Infinity) < to && from < (one.to ?? Infinity),
    )
    if (exists || (await hasRows(run, table, from, to))) continue
    created.push(await createPartition(run, table, { from, to }))
  }
  return created
}

async function hasRows(
  run: Run,
  table: PartitionedByTime,
  from: number,
  to: number,
): Promise<boolean> {
  const { timeColumn } = table
  const rows = await run(
    `select from ${defaultOf(table.table)}
     where ${timeColumn} >= ${boundOf(table, from)} and ${timeColumn} < ${boundOf(table, to)} limit 1`,
  )
  return rows.length > 0
}
