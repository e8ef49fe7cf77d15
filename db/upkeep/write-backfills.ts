import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** Work on the rows of a large table after a migration, in batches. */
export interface Backfill {
  /** The migration requests it with `insert into backfill (name) values ('…')`. */
  name: string
  /**
   * Does the batch after `position`, which is null at the beginning, in the transaction of `em`. Returns the position
   * that the next batch continues from, or null at the end.
   */
  fill: (em: EntityManager, position: string | null) => Promise<string | null>
}

/**
 * Does the next batch of a backfill and records its position in the same transaction. Returns false if nothing is left,
 * or another process does it at the moment.
 */
export const continueBackfill = (em: EntityManager, { name, fill }: Backfill): Promise<boolean> =>
  em.transactional(async (tx) => {
    const row = await queries(tx)
      .selectFrom('backfill')
      .select('position')
      .where('name', '=', name)
      .where('completedAt', 'is', null)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!row) return false
    const position = await fill(tx, row.position)
    await queries(tx)
      .updateTable('backfill')
      .set(position === null ? { completedAt: new Date() } : { position })
      .where('name', '=', name)
      .execute()
    return position !== null
  })
