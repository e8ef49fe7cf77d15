import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import type { WorkflowRequestKind } from '../entities/event.ts'
import { queries } from '../queries.ts'

/** A disabled endpoint whose waiting deliveries end. */
export interface DisabledEndpoint {
  accountId: number
  endpointId: number
}

/**
 * Ends up to `limit` pending deliveries of a disabled endpoint, except those of webhook.test, and requests the
 * cancellation of their workflows; returns how many. With `createdUntil`, a time as PostgreSQL writes it, ends only those
 * created until then. The caller wakes the relay.
 */
export async function endPendingDeliveries(
  em: EntityManager,
  { accountId, endpointId }: DisabledEndpoint,
  limit: number,
  createdUntil?: string,
): Promise<number> {
  const isOldEnough =
    createdUntil === undefined ? sql`true` : sql`created_at <= ${createdUntil}::timestamptz`
  // The account is named because its few undelivered rows have an index. In order, so that two such statements cannot
  // deadlock.
  const { rows } = await sql<{ one: number }>`
    with waiting as (
      select id from webhook_delivery
      where account_id = ${accountId} and status = 'pending' and endpoint_id = ${endpointId}
        and event_type <> 'webhook.test' and ${isOldEnough}
      order by id limit ${limit} for update
    ), ended as (
      update webhook_delivery d set status = 'failed', error_code = 'endpoint_disabled',
        next_retry_at = null, completed_at = now()
      from waiting where d.id = waiting.id and d.status = 'pending' returning d.id
    )
    insert into outbox (command, subject_id, account_id)
    select ${'cancel-delivery' satisfies WorkflowRequestKind}, id::text, ${accountId} from ended
    returning 1 as one`.execute(queries(em))
  return rows.length
}
