import type { EntityManager } from '../database.ts'

/** Held by the transaction that counts sessions: two would add to the same days, and lock rows in different orders. */
const COUNT_LOCK = 7_201_962

/** Returns whether this transaction is the only one that counts sessions. */
export async function isOnlyCounter(em: EntityManager): Promise<boolean> {
  const [row] = await em.execute<{ isAlone: boolean }[]>(
    'select pg_try_advisory_xact_lock(?) as "isAlone"',
    [COUNT_LOCK],
  )
  return row?.isAlone === true
}

/** Waits until no other transaction counts sessions, and keeps others from it until this one ends. */
export async function waitForCounter(em: EntityManager): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(?)', [COUNT_LOCK])
}
