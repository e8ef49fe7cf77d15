import type { EntityManager } from '../../db/database.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import type { DisabledEndpoint } from '../../db/webhooks/write-delivery-cancellations.ts'

/** Requests the workflow that removes a deleted endpoint, or ends the waiting deliveries of a disabled one. */
export const requestSettlement = (
  em: EntityManager,
  { accountId, endpointId }: DisabledEndpoint,
): Promise<void> =>
  requestWorkflows(em, [{ command: 'settle-endpoint', subjectId: String(endpointId), accountId }])
