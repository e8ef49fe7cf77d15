import { sql } from 'kysely'
import type { EntityManager } from './database.ts'
import type { WorkflowRequestKind } from './entities/event.ts'
import { queries } from './queries.ts'

/** Requests the cancellation of the workflows of an endpoint's pending deliveries. The caller wakes the relay. */
export async function requestCancellations(em: EntityManager, endpointId: number): Promise<void> {
  await queries(em)
    .insertInto('outbox')
    .columns(['command', 'subjectId', 'accountId'])
    .expression((eb) =>
      eb
        .selectFrom('webhook_delivery')
        .select(CANCELLATION)
        .where('endpointId', '=', endpointId)
        .where('status', '=', 'pending'),
    )
    .execute()
}

/**
 * Ends the pending deliveries of a disabled endpoint, except those of webhook.test, and requests the
 * cancellation of their workflows; returns how many. The caller wakes the relay.
 */
export async function endPendingDeliveries(em: EntityManager, endpointId: number): Promise<number> {
  const requests = await queries(em)
    .with('ended', (db) =>
      db
        .updateTable('webhook_delivery')
        .set({
          status: 'failed',
          errorCode: 'endpoint_disabled',
          nextRetryAt: null,
          completedAt: sql`now()`,
        })
        .where('endpointId', '=', endpointId)
        .where('status', '=', 'pending')
        .where('eventType', '<>', 'webhook.test')
        .returning(['id', 'accountId']),
    )
    .insertInto('outbox')
    .columns(['command', 'subjectId', 'accountId'])
    .expression((eb) => eb.selectFrom('ended').select(CANCELLATION))
    .returning('id')
    .execute()
  return requests.length
}

const CANCELLATION = [
  sql.lit<WorkflowRequestKind>('cancel-delivery').as('command'),
  sql<string>`id::text`.as('subjectId'),
  sql.ref<number>('accountId').as('accountId'),
] as const
