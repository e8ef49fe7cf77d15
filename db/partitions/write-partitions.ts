import type { Database } from '../database.ts'
import { isLockFailure } from '../errors.ts'
import type { Run } from '../schema/transactions.ts'
import { HOUR_MS, readPartitions, type Partition, type Partitioned } from './partitioned.ts'
import { changePartitions } from './short-locks.ts'
import { openTimePartitions } from './time-partitions.ts'
import { beginPeriod, openIdPartitions } from './write-id-partitions.ts'

/** What was changed, by the names of partitions. */
export interface PartitionChanges {
  created: string[]
  /** Whose first id the sequence gives next. */
  begun: string[]
  dropped: string[]
}

/** Whether a partition stays, because other tables need its rows. */
type IsNeeded = (run: Run, partition: Partition) => Promise<boolean>

/** Rows are inserted after their id was given out, by clocks that may differ. */
const MARGIN_MS = 24 * HOUR_MS

/**
 * Creates the partitions ahead, begins the next one after a period, and drops those whose rows are all older than
 * `keptDays`. Each change is a short transaction. Safe to run twice, also at the same time, and to stop after any statement. A change
 * for which another process holds the lock is left to the next run.
 */
export async function keepPartitions(
  db: Database,
  table: Partitioned,
  keptDays: number,
  isNeeded: IsNeeded = () => Promise.resolve(false),
): Promise<PartitionChanges> {
  const change = <T>(work: (run: Run) => Promise<T>) => changePartitions(db, table, work)
  const created = (await change((run) => openPartitions(run, table))) ?? []
  // In another transaction: the sequence does not move back if the creation of its partition is rolled back.
  const begun = table.by === 'id' ? await change((run) => beginPeriod(run, table)) : null
  if (begun !== null) created.push(...((await change((run) => openPartitions(run, table))) ?? []))
  const expired = (await change((run) => findExpired(run, table, keptDays))) ?? []
  const dropped: string[] = []
  for (const partition of expired) {
    const drop = async (run: Run) =>
      !(await isNeeded(run, partition)) && (await dropExpired(run, table, keptDays, partition.name))
    if ((await change(drop)) === true) dropped.push(partition.name)
  }
  return { created, begun: begun === null ? [] : [begun], dropped }
}

/** Creates the partitions that are missing ahead; returns their names. */
export const openPartitions = (run: Run, table: Partitioned): Promise<string[]> =>
  table.by === 'id' ? openIdPartitions(run, table) : openTimePartitions(run, table)

/**
 * Creates the partitions that are missing ahead, and lets ids begin in one: after a restore they are beyond all. What meets a
 * lock is left to `purge-history`.
 */
export async function preparePartitions(db: Database, table: Partitioned): Promise<void> {
  try {
    await changePartitions(db, table, (run) => openPartitions(run, table))
    if (table.by === 'id') await changePartitions(db, table, (run) => beginPeriod(run, table))
  } catch (error) {
    if (!isLockFailure(error)) throw error
  }
}

/** Records for how many days the rows of a table are kept: reads hide older ones at once (`kept_since`). */
export async function recordKeptDays(db: Database, table: string, days: number): Promise<void> {
  await db.em.fork().execute(
    `insert into kept_days as k (table_name, days) values (?, ?)
     on conflict (table_name) do update set days = excluded.days where k.days <> excluded.days`,
    [table, days],
  )
}

async function findExpired(run: Run, table: Partitioned, keptDays: number): Promise<Partition[]> {
  const partitions = await readPartitions(run, table)
  const [row] = await run<{ now: Date }>('select now()')
  const sinceMs = (row?.now.getTime() ?? 0) - keptDays * 24 * HOUR_MS - MARGIN_MS
  if (table.by === 'time') return partitions.filter(({ to }) => to !== null && to <= sinceMs)
  return partitions.filter((_, index) => {
    const later = partitions.slice(index + 1).map(({ openedAtMs }) => openedAtMs ?? Infinity)
    return Math.min(...later) <= sinceMs
  })
}

/** Drops a partition, without reading its rows. Reads and writes of the table wait for a moment. */
async function dropExpired(
  run: Run,
  table: Partitioned,
  keptDays: number,
  name: string,
): Promise<boolean> {
  const expired = await findExpired(run, table, keptDays)
  if (!expired.some((one) => one.name === name)) return false
  await run(`drop table ${name}`)
  await run('delete from id_partition where name = $1', [name])
  return true
}
