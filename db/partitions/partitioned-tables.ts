import type { Retention } from '../../domain/retention.ts'
import type { Partitioned } from './partitioned.ts'

export interface KeptTable {
  partitioned: Partitioned
  /** After how many days a row is too old: reads hide it, and its partition is dropped when all its rows are. */
  keptDays: (retention: Retention) => number
}

/** The partitioned tables, of which `purge-history` keeps the partitions. */
export const PARTITIONED_TABLES: readonly KeptTable[] = []
