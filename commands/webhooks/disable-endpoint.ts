import type { EntityManager } from '../../db/database.ts'
import type { DisabledReason } from '../../domain/delivery-schedule.ts'
import { notifyRelay } from '../../db/workflow-requests.ts'
import { recordSecurityEvent } from '../security-events/record-security-event.ts'

export interface EndpointToDisable {
  accountId: number
  endpointId: number
  reason: DisabledReason
}

/**
 * Switches an endpoint off and ends its waiting deliveries as `endpoint_disabled` with their
 * workflows, except those of webhook.test, which are always sent. Where its owner did not do it, they
 * are told by a security event (design, section 7). Call it in a transaction, in which the endpoint
 * is locked before its deliveries, as everywhere. Returns false where it was off.
 */
export async function disableEndpoint(
  em: EntityManager,
  { accountId, endpointId, reason }: EndpointToDisable,
): Promise<boolean> {
  const [endpoint] = await em.execute<{ failureCount: number }[]>(
    `update webhook_endpoint set is_active = false, disabled_reason = ?, updated_at = now()
     where id = ? and account_id = ? and is_active returning failure_count as "failureCount"`,
    [reason, endpointId, accountId],
  )
  if (!endpoint) return false
  await endWaitingDeliveries(em, endpointId)
  if (reason !== 'owner')
    await recordSecurityEvent(em, {
      accountId,
      eventType: 'webhook_endpoint_disabled',
      severity: 'medium',
      videoId: null,
      viewerId: null,
      details: { endpoint_id: endpointId, failure_count: endpoint.failureCount, reason },
    })
  return true
}

async function endWaitingDeliveries(em: EntityManager, endpointId: number): Promise<void> {
  const ended = await em.execute<unknown[]>(
    `with ended as (
       update webhook_delivery set status = 'failed', error_code = 'endpoint_disabled',
         next_retry_at = null, completed_at = now()
       where endpoint_id = ? and status = 'pending' and event_type <> 'webhook.test'
       returning id, account_id
     )
     insert into outbox (command, subject_id, account_id)
     select 'cancel-delivery', id::text, account_id from ended returning id`,
    [endpointId],
  )
  if (ended.length > 0) await notifyRelay(em)
}
