import type { Run } from '../schema/transactions.ts'

export const HOUR_MS = 3_600_000

interface Common {
  /** The partitioned table. */
  table: string
  /** When a row was made: by it, rows are too old. */
  timeColumn: string
  /** A partition has the rows of at most one period. */
  period: Period
  /** Storage parameters of its partitions. */
  storage?: string
}

/** A table whose keys come from one sequence. Its partitions are ranges of the key. */
export interface PartitionedById extends Common {
  by: 'id'
  column: string
  sequence: string
  /** The fewest ids of a partition. A period takes so many at least, so small installations keep small ids. */
  idsMin: number
}

/** A table whose partitions are ranges of `timeColumn`. */
export interface PartitionedByTime extends Common {
  by: 'time'
  /** How many periods after the current one have a partition; 8 by default. */
  periodsAhead?: number
}

export type Partitioned = PartitionedById | PartitionedByTime

export interface Partition {
  name: string
  /** The first id, or ms since 1970; null for no limit. */
  from: number | null
  /** The first one after it; null for no limit. */
  to: number | null
  /** Of a partition by id: when its first id was given out. No earlier partition got an id afterwards. Null before. */
  openedAtMs: number | null
}

export type Period = 'week' | 'month'

/** The beginning of the period of a time, in UTC; weeks begin on Mondays. `ahead` periods later, if given. */
export function periodStart(atMs: number, period: Period, ahead = 0): number {
  const at = new Date(atMs)
  if (period === 'month') return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 1)
  const monday = at.getUTCDate() - ((at.getUTCDay() + 6) % 7)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), monday + 7 * ahead)
}

/** The shortest period of this kind. */
export const periodMs = (period: Period): number => (period === 'week' ? 7 : 28) * 24 * HOUR_MS

/** The names of partitions begin with that of their table, so that people and tools see whose they are. */
export const defaultOf = (table: string): string => `${table}_default`

/** The partitions of a table by their ranges, without the default one. */
export async function readPartitions(run: Run, { table, by }: Partitioned): Promise<Partition[]> {
  const rows = await run<{ name: string; bound: string; opened_at: Date | null }>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound, p.opened_at
     from pg_inherits i join pg_class c on c.oid = i.inhrelid left join id_partition p on p.name = c.relname
     where i.inhparent = to_regclass($1)`,
    [table],
  )
  const limit = (text: string | undefined) => {
    const [, value] = /^'(.*)'$/.exec(text ?? '') ?? []
    if (value === undefined) return null
    return by === 'id' ? Number(value) : new Date(value).getTime()
  }
  return rows
    .flatMap(({ name, bound, opened_at: opened }) => {
      const [, from, to] = /^FOR VALUES FROM \((.*)\) TO \((.*)\)$/.exec(bound) ?? []
      if (from === undefined) return []
      return [{ name, from: limit(from), to: limit(to), openedAtMs: opened?.getTime() ?? null }]
    })
    .toSorted((a, b) => (a.from ?? -Infinity) - (b.from ?? -Infinity))
}

/** A limit of a range as SQL. */
export const boundOf = ({ by }: Partitioned, limit: number): string =>
  by === 'id' ? `'${limit}'` : `'${new Date(limit).toISOString()}'`

/** Creates an empty partition. Takes, for a moment, a lock for which reads and writes of the default one wait. */
export async function createPartition(
  run: Run,
  table: Partitioned,
  range: { from: number; to: number },
): Promise<string> {
  const day = new Date(range.from).toISOString().slice(0, 10).replaceAll('-', '')
  const name = `${table.table}_p${table.by === 'id' ? range.from : day}`
  const storage = table.storage === undefined ? '' : ` with (${table.storage})`
  await run(
    `create table ${name} partition of ${table.table}
     for values from (${boundOf(table, range.from)}) to (${boundOf(table, range.to)})${storage}`,
  )
  return name
}
