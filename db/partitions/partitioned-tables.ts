import { DELIVERY_TABLES } from './delivery-tables.ts'
import { EVENT_TABLE } from './event-table.ts'
import type { KeptTable } from './kept-table.ts'
import type { PartitionedById, PartitionedByTime } from './partitioned.ts'

export const SECURITY_EVENTS: PartitionedById = {
  by: 'id',
  table: 'security_event',
  column: 'id',
  sequence: 'security_event_id_seq',
  timeColumn: 'created_at',
  period: 'month',
  idsMin: 100_000,
}

/**
 * Playback sessions. The name is another than that of the first partition, `playback_session`, in which processes of the
 * release before upsert by the id alone.
 */
export const PLAYBACK_RECORDS: PartitionedByTime = {
  by: 'time',
  table: 'playback_record',
  timeColumn: 'started_at',
  period: 'month',
  // Each heartbeat updates a row: pages keep room for its new versions.
  storage: 'fillfactor = 80',
}

/** The partitioned tables, of which `purge-history` keeps the partitions. */
export const PARTITIONED_TABLES: readonly KeptTable[] = [
  { partitioned: SECURITY_EVENTS, keptDays: ({ securityEventDays }) => securityEventDays },
  { partitioned: PLAYBACK_RECORDS, keptDays: ({ playbackSessionDays }) => playbackSessionDays },
  ...DELIVERY_TABLES,
  EVENT_TABLE,
]
