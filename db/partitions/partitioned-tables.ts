import type { Retention } from '../../domain/retention.ts'
import type { Partitioned, PartitionedById } from './partitioned.ts'

export interface KeptTable {
  partitioned: Partitioned
  /** After how many days a row is too old: reads hide it, and its partition is dropped when all its rows are. */
  keptDays: (retention: Retention) => number
}

export const SECURITY_EVENTS: PartitionedById = {
  by: 'id',
  table: 'security_event',
  column: 'id',
  sequence: 'security_event_id_seq',
  timeColumn: 'created_at',
  period: 'month',
  idsMin: 100_000,
}

/** The partitioned tables, of which `purge-history` keeps the partitions. */
export const PARTITIONED_TABLES: readonly KeptTable[] = [
  { partitioned: SECURITY_EVENTS, keptDays: ({ securityEventDays }) => securityEventDays },
]
