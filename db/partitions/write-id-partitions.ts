import type { Run } from '../schema/transactions.ts'
import {
  createPartition,
  HOUR_MS,
  periodMs,
  readPartitions,
  type Partition,
  type PartitionedById,
} from './partitioned.ts'

/** Partitions that have no id yet: while one fills, the next is there. */
const AHEAD = 2
/** How much larger than the last a partition may be, so that one busy hour does not make all later ids large. */
const GROWTH_MAX = 16

interface State {
  /** The id that the sequence gives next. */
  nextId: number
  nowMs: number
  partitions: Partition[]
}

async function readState(run: Run, table: PartitionedById): Promise<State> {
  const [row] = await run<{ next_id: number; now: Date }>(
    `select last_value + is_called::int as next_id, clock_timestamp() as now from ${table.sequence}`,
  )
  if (!row) throw new Error(`the sequence ${table.sequence} has no row`)
  const partitions = await readPartitions(run, table)
  return { nextId: row.next_id, nowMs: row.now.getTime(), partitions }
}

/**
 * Records which partitions have got ids, and creates new ones until two are ahead. Beyond all partitions rows go to the
 * default one; the next partition then begins after ids that others may get meanwhile. Returns the names of the new ones.
 */
export async function openIdPartitions(run: Run, table: PartitionedById): Promise<string[]> {
  const { nextId, nowMs, partitions } = await readState(run, table)
  for (const partition of partitions)
    if (partition.openedAtMs === null && (partition.from ?? 0) < nextId) {
      await recordOpened(run, table, partition.name)
      partition.openedAtMs = nowMs
    }
  const unused = partitions.filter((one) => one.openedAtMs === null && (one.from ?? 0) >= nextId)
  if (unused.length >= AHEAD) return []
  const end = partitions.at(-1)?.to ?? 0
  let from = end > nextId ? end : nextId + table.idsMin
  const span = await nextSpan(run, table, partitions)
  const created: string[] = []
  while (unused.length + created.length < AHEAD) {
    created.push(await createPartition(run, table, { from, to: from + span }))
    from += span
  }
  return created
}

/** Twice the ids of a period, as fast as those of the last filled partition were given out. */
async function nextSpan(
  run: Run,
  { column, timeColumn, idsMin, period }: PartitionedById,
  partitions: Partition[],
): Promise<number> {
  const opened = partitions.filter(({ openedAtMs }) => openedAtMs !== null)
  const [filled, last] = [opened.at(-2) ?? opened.at(-1), partitions.at(-1)]
  if (!filled || !last) return idsMin
  const end = (order: string) =>
    run<{ id: number; at: Date }>(
      `select ${column} as id, ${timeColumn} as at from ${filled.name} order by ${column} ${order} limit 1`,
    )
  const [[first], [newest]] = [await end('asc'), await end('desc')]
  if (!first || !newest) return idsMin
  const filledMs = Math.max(HOUR_MS, newest.at.getTime() - first.at.getTime())
  const wanted = (2 * (newest.id - first.id) * periodMs(period)) / filledMs
  const doublings = Math.max(0, Math.ceil(Math.log2(wanted / idsMin)))
  const lastSpan = Math.max(idsMin, (last.to ?? 0) - (last.from ?? 0))
  return Math.min(idsMin * 2 ** doublings, lastSpan * GROWTH_MAX)
}

/**
 * Moves the sequence to the next partition if the current one has got ids for a period, or if it stands outside all
 * partitions. Safe for a process that was paused after any statement: the sequence never moves back. Returns the name of the partition that
 * was begun.
 */
export async function beginPeriod(run: Run, table: PartitionedById): Promise<string | null> {
  const { nextId, nowMs, partitions } = await readState(run, table)
  const lastId = nextId - 1
  const current = partitions.find(
    ({ from, to }) => (from ?? -Infinity) <= lastId && lastId < (to ?? Infinity),
  )
  const isYoung = current && (current.openedAtMs ?? nowMs) > nowMs - periodMs(table.period)
  const next = partitions.find(({ from }) => from !== null && from >= nextId)
  if (isYoung || !next || next.openedAtMs !== null) return null
  await run(`select setval($1, $2, false) from ${table.sequence} where last_value < $2`, [
    table.sequence,
    next.from,
  ])
  // After the move, by a clock that goes on in a transaction: no earlier partition gets an id after this time.
  await recordOpened(run, table, next.name)
  return next.name
}

const recordOpened = (run: Run, { table }: PartitionedById, name: string) =>
  run(
    `insert into id_partition (name, table_name, opened_at) values ($1, $2, clock_timestamp())
     on conflict (name) do nothing`,
    [name, table],
  )
