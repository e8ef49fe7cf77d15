import type { EntityManager } from '../database.ts'

/** Held by the transaction that writes the passages of a caption: two would write those of one caption twice. */
const INDEX_LOCK = 7_201_963

/** Returns whether this transaction is the only one that writes passages. */
export async function isOnlyIndexer(em: EntityManager): Promise<boolean> {
  const [row] = await em.execute<{ isAlone: boolean }[]>(
    'select pg_try_advisory_xact_lock(?) as "isAlone"',
    [INDEX_LOCK],
  )
  return row?.isAlone === true
}
