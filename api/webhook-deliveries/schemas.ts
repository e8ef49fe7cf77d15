import { z } from 'zod'
import { EVENT_TYPES } from '../../domain/events.ts'
import { deliveryStatus } from '../../views/webhook-delivery.ts'
import { listQuery, rowIdInQuery, rowIdParameter } from '../list.ts'
import { instant, text } from '../text.ts'

const EVENT_ID_MAX_LENGTH = 64

/** Query of GET /v1/webhook-deliveries. */
export const listDeliveriesQuery = listQuery(rowIdInQuery, {
  status: deliveryStatus.optional(),
  endpoint_id: rowIdInQuery.optional(),
  event_id: text({ maxLength: EVENT_ID_MAX_LENGTH }).optional(),
  event_type: z.enum(EVENT_TYPES).optional(),
  retry_of: rowIdInQuery.optional(),
  replay_id: rowIdInQuery.optional(),
  since: instant('Deliveries created at or after this time.').optional(),
  until: instant('Deliveries created before this time.').optional(),
})

export const deliveryIdParameter = rowIdParameter('webhook_delivery_not_found')
