import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** Returns whether the relay has cancellations of the account's deliveries to make. */
export async function hasCancellations(em: EntityManager, accountId: number): Promise<boolean> {
  const waiting = await queries(em)
    .selectFrom('outbox')
    .select('id')
    .where('command', '=', 'cancel-delivery')
    .where('accountId', '=', accountId)
    .limit(1)
    .executeTakeFirst()
  return waiting !== undefined
}
