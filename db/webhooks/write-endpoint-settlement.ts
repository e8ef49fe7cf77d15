import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import type { UnsettledEndpoint } from './endpoint-settlement.ts'
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

/** Deletes the row of a deleted endpoint, with its replays and what a late transaction added. */
export async function deleteEndpointRow(em: EntityManager, endpointId: number): Promise<void> {
  await queries(em)
    .deleteFrom('webhook_endpoint')
    .where('id', '=', endpointId)
    .where('deletedAt', 'is not', null)
    .execute()
}
