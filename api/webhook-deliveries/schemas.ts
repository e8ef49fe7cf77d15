import { z } from 'zod'
import type { DeliveryFilter } from '../../db/webhooks/webhook-deliveries.ts'
import { listQuery, rowIdInQuery } from '../../http/list.ts'
import { instant, text } from '../../http/text.ts'
import { eventTypeName } from '../../views/webhooks/event.ts'
import { deliveryStatus } from '../../views/webhooks/webhook-delivery.ts'

const EVENT_ID_MAX_LENGTH = 64

/** Query of a list of deliveries. */
export const listDeliveriesQuery = listQuery(rowIdInQuery, {
  status: deliveryStatus.optional(),
  endpoint_id: rowIdInQuery.optional(),
  event_id: text({ maxLength: EVENT_ID_MAX_LENGTH }).optional(),
  event_type: eventTypeName.optional(),
  retry_of: rowIdInQuery.optional(),
  replay_id: rowIdInQuery.optional(),
  since: instant('Deliveries created at or after this time.').optional(),
  until: instant('Deliveries created before this time.').optional(),
})

/** Which of the account's deliveries a query asks for. */
export const deliveryFilter = (
  accountId: number,
  query: z.output<typeof listDeliveriesQuery>,
): DeliveryFilter => ({
  accountId,
  status: query.status,
  endpointId: query.endpoint_id,
  eventId: query.event_id,
  eventType: query.event_type,
  retryOf: query.retry_of,
  replayId: query.replay_id,
})
