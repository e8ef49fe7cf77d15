import { sql } from 'kysely'
import { FAILED_KEPT_DAYS } from '../../domain/limits.ts'
import { tableExists, type Run } from '../schema/transactions.ts'
import { OLD_DELIVERIES } from '../upkeep/retention.ts'
import type { KeptTable } from './kept-table.ts'
import type { Partition, PartitionedById } from './partitioned.ts'

export const EVENTS: PartitionedById = {
  by: 'id',
  table: 'event',
  column: 'number',
  sequence: 'event_number_seq',
  timeColumn: 'created_at',
  period: 'week',
  idsMin: 100_000,
}

/** The events, by weeks. They are shown for 90 days, and stay as long as a delivery that has one of them (ADR 0058). */
export const EVENT_TABLE: KeptTable = {
  partitioned: EVENTS,
  keptDays: () => FAILED_KEPT_DAYS,
  needed: {
    partition: hasDeliveries,
    freeRow: sql`not exists (select from webhook_delivery d where d.event_id = event_default.id)`,
  },
}

/**
 * Whether a delivery has an event of the partition. Reads a block-range index of the numbers, except for the deliveries that a
 * release before the partitions created, which name none.
 */
async function hasDeliveries(run: Run, { name, from, to }: Partition): Promise<boolean> {
  await run('set local enable_seqscan = off')
  const [found] = await run<{ any: boolean }>(
    `select exists (select from webhook_delivery_current where event_number >= $1 and event_number < $2)
       or exists (select from webhook_delivery_current d where event_number is null
         and exists (select from ${name} v where v.id = d.event_id)) as any`,
    [from ?? 0, to],
  )
  if (found?.any === true) return true
  // The foreign key of the deliveries from before the partitions keeps the events of that time.
  return from === null && (await tableExists(run, OLD_DELIVERIES))
}
