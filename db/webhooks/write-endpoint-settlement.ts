import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { deleteDeliveries } from '../upkeep/write-retention.ts'
import { listDeliveriesOfEndpoint, type UnsettledEndpoint } from './endpoint-settlement.ts'
import type { DisabledEndpoint } from './write-delivery-cancellations.ts'

/**
 * Marks the account's endpoint as deleted: no read finds it, its deliveries or its replays from the commit on. Ends its
 * running replay. Returns false if the account has no such endpoint.
 */
export async function markWebhookEndpointDeleted(
  em: EntityManager,
  { accountId, endpointId }: DisabledEndpoint,
): Promise<boolean> {
  const marked = await queries(em)
    .updateTable('webhook_endpoint')
    .set({
      deletedAt: sql`now()`,
      isActive: false,
      disabledReason: sql`coalesce(disabled_reason, 'owner')`,
    })
    .where('id', '=', endpointId)
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!marked) return false
  await queries(em)
    .updateTable('webhook_replay')
    .set({ state: 'cancelled', completedAt: sql`now()` })
    .where('endpointId', '=', endpointId)
    .where('state', '=', 'running')
    .execute()
  return true
}

/**
 * Cuts off the deliveries of an endpoint that wait now, also those whose transaction is not committed: none of them is
 * sent. Call it in the transaction that disabled the endpoint.
 */
export async function cutOffDeliveries(em: EntityManager, endpointId: number): Promise<void> {
  await queries(em)
    .updateTable('webhook_endpoint')
    .set({ cutOffAt: sql`clock_timestamp()` })
    .where('id', '=', endpointId)
    .execute()
}

/** Forgets the time of a cut-off whose deliveries have ended. Does nothing if the endpoint was disabled again. */
export async function endCutOff(
  em: EntityManager,
  { endpointId, cutOffAt }: UnsettledEndpoint,
): Promise<void> {
  await queries(em)
    .updateTable('webhook_endpoint')
    .set({ cutOffAt: null })
    .where('id', '=', endpointId)
    .where(sql<boolean>`cut_off_at = ${cutOffAt}::timestamptz`)
    .execute()
}

/** How many deliveries of late transactions are deleted at once. */
const LATE_ROWS = 500

/**
 * Deletes the row of a deleted endpoint, with its replays and the deliveries that a late transaction added. Its lock waits
 * for such transactions, which keep the endpoint's row, and no other one adds a delivery.
 */
export const deleteEndpointRow = (em: EntityManager, endpointId: number): Promise<void> =>
  em.transactional(async (tx) => {
    const gone = await queries(tx)
      .selectFrom('webhook_endpoint')
      .select('id')
      .where('id', '=', endpointId)
      .where('deletedAt', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (!gone) return
    for (let left = LATE_ROWS; left === LATE_ROWS;) {
      const ids = await listDeliveriesOfEndpoint(tx, endpointId, LATE_ROWS)
      await deleteDeliveries(tx, ids)
      left = ids.length
    }
    await queries(tx).deleteFrom('webhook_endpoint').where('id', '=', endpointId).execute()
  })
