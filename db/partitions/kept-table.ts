import type { RawBuilder } from 'kysely'
import type { Retention } from '../../domain/retention.ts'
import type { Run } from '../schema/transactions.ts'
import type { Partition, Partitioned } from './partitioned.ts'

/** A partitioned table, and what of it is kept. */
export interface KeptTable {
  partitioned: Partitioned
  /** After how many days a row is too old: reads hide it, and its partition is dropped when all its rows are. */
  keptDays: (retention: Retention) => number
  /** What stays for other tables, however old it is. */
  needed?: {
    partition: (run: Run, partition: Partition) => Promise<boolean>
    /** A condition on a row of the default partition that no other table needs. */
    freeRow: RawBuilder<unknown>
  }
}
