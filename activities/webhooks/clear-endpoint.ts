import { Context } from '@temporalio/activity'
import { endCutOffDeliveries, removeEndpoint } from '../../commands/webhooks/settle-endpoint.ts'
import { hasCancellations } from '../../db/webhooks/delivery-cancellations.ts'
import {
  findUnsettledEndpoint,
  listDeliveriesOfEndpoint,
  type UnsettledEndpoint,
} from '../../db/webhooks/endpoint-settlement.ts'
import type { EndpointStep, SettleEndpointInput } from '../../domain/webhooks/webhook-delivery.ts'
import { removeDeliveries, type RemoveDeliveriesDeps } from '../upkeep/remove-deliveries.ts'

const BATCH_ROWS = 500
/** The batches of one step, after which the workflow shows its progress. */
const BATCHES_PER_STEP = 20

export interface ClearEndpointDeps extends RemoveDeliveriesDeps {
  /** How many deliveries one transaction deletes or ends; 500 by default. */
  endpointBatchRows?: number
}

/**
 * Does the next step for an endpoint. Of a deleted one, deletes deliveries and ends their workflows, then its row. Of a
 * disabled one, ends deliveries that waited, and requests the cancellation of their workflows. Safe to run twice, also
 * at the same time and beside the deletion of the account: each continues with the rows that are left.
 */
export async function clearEndpoint(
  deps: ClearEndpointDeps,
  { endpointId }: SettleEndpointInput,
): Promise<EndpointStep> {
  const endpoint = await findUnsettledEndpoint(deps.db.em.fork(), endpointId)
  if (!endpoint) return { outcome: 'ended', deliveryCount: 0 }
  return endpoint.isDeleted ? remove(deps, endpointId) : endDeliveries(deps, endpoint)
}

async function remove(deps: ClearEndpointDeps, endpointId: number): Promise<EndpointStep> {
  const { heartbeat } = Context.current()
  const { db, endpointBatchRows = BATCH_ROWS } = deps
  let deliveryCount = 0
  for (let batch = 1; batch <= BATCHES_PER_STEP; batch += 1) {
    const ids = await listDeliveriesOfEndpoint(db.em.fork(), endpointId, endpointBatchRows)
    await removeDeliveries(deps, ids)
    deliveryCount += ids.length
    heartbeat(deliveryCount)
    if (ids.length < endpointBatchRows) {
      await removeEndpoint(db.em.fork(), endpointId)
      return { outcome: 'ended', deliveryCount }
    }
  }
  return { outcome: 'more', deliveryCount }
}

/** Ends one batch, once the relay has cancelled the workflows of the batch before: its requests delay those of others. */
async function endDeliveries(
  { db, endpointBatchRows = BATCH_ROWS }: ClearEndpointDeps,
  endpoint: UnsettledEndpoint,
): Promise<EndpointStep> {
  const em = db.em.fork()
  if (await hasCancellations(em, endpoint.accountId)) return { outcome: 'full', deliveryCount: 0 }
  const deliveryCount = await endCutOffDeliveries(em, endpoint, endpointBatchRows)
  return { outcome: 'more', deliveryCount }
}
