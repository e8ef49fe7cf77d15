import type { EntityManager } from '../../db/database.ts'
import { notifyRelay } from '../../db/workflow-requests.ts'

/**
 * Deletes an endpoint with its deliveries and ends the workflows of those that wait (spec, "Webhook
 * delivery"). Call it in a transaction. Returns false where the account has no such endpoint.
 */
export async function deleteEndpoint(
  em: EntityManager,
  accountId: number,
  endpointId: number,
): Promise<boolean> {
  const found = await em.execute<unknown[]>(
    'select 1 from webhook_endpoint where id = ? and account_id = ? for update',
    [endpointId, accountId],
  )
  if (found.length === 0) return false
  await em.execute(
    `insert into outbox (command, subject_id, account_id)
     select 'cancel-delivery', id::text, account_id from webhook_delivery
     where endpoint_id = ? and status = 'pending'`,
    [endpointId],
  )
  await em.execute('delete from webhook_endpoint where id = ?', [endpointId])
  await notifyRelay(em)
  return true
}
