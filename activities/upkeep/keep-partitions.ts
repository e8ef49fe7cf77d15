import { heartbeat, log } from '@temporalio/activity'
import type { Database } from '../../db/database.ts'
import type { KeptTable } from '../../db/partitions/kept-table.ts'
import { PARTITIONED_TABLES } from '../../db/partitions/partitioned-tables.ts'
import { defaultOf } from '../../db/partitions/partitioned.ts'
import { keepPartitions, recordKeptDays } from '../../db/partitions/write-partitions.ts'
import { olderThan } from '../../db/upkeep/write-expired-records.ts'
import { DEFAULT_RETENTION, type Retention } from '../../domain/retention.ts'

const BATCH_ROWS = 1_000

interface KeepPartitionsDeps {
  db: Database
  /** How long the operator keeps records. */
  retention?: Retention
}

/**
 * Creates partitions ahead, drops those whose rows are all too old, and deletes rows that came to a default partition. Safe to
 * run twice, also at the same time. A table that fails does not stop the others. Returns the names of the dropped partitions.
 */
export async function keepAllPartitions(
  { db, retention = DEFAULT_RETENTION }: KeepPartitionsDeps,
  tables: readonly KeptTable[] = PARTITIONED_TABLES,
): Promise<string[]> {
  const dropped: string[] = []
  const failures: unknown[] = []
  for (const table of tables)
    try {
      dropped.push(...(await keepTable(db, table, table.keptDays(retention))))
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw new AggregateError(failures, 'partitions were not kept')
  return dropped
}

async function keepTable(
  db: Database,
  { partitioned, needed }: KeptTable,
  days: number,
): Promise<string[]> {
  const { table, timeColumn } = partitioned
  heartbeat(table)
  await recordKeptDays(db, table, days)
  const changes = await keepPartitions(db, partitioned, days, needed?.partition)
  for (const name of changes.created) log.info('partition created', { table, name })
  for (const name of changes.begun) log.info('partition begun', { table, name })
  for (const name of changes.dropped) log.info('partition dropped', { table, name })
  const deleteBatch = olderThan(defaultOf(table), timeColumn, days, needed?.freeRow)
  for (let count = BATCH_ROWS; count === BATCH_ROWS; heartbeat(table))
    count = await deleteBatch(db.em.fork(), BATCH_ROWS)
  return changes.dropped
}
