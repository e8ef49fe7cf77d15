import type { Database } from '../database.ts'
import { tableExists } from '../schema/transactions.ts'
import { OLD_DELIVERIES } from '../upkeep/retention.ts'
import { changePartitions } from './short-locks.ts'

/**
 * Drops the tables of deliveries from before the partitions once they are empty: no delivery gets an id of theirs any more.
 * Returns whether they are gone.
 */
export async function dropOldDeliveries(db: Database): Promise<boolean> {
  const isGone = await changePartitions(db, { table: 'webhook_delivery' }, async (run) => {
    if (!(await tableExists(run, OLD_DELIVERIES))) return true
    const rows = await run(`select from ${OLD_DELIVERIES} limit 1`)
    if (rows.length > 0) return false
    await run(`drop table webhook_attempt_old, ${OLD_DELIVERIES}`)
    return true
  })
  return isGone === true
}
