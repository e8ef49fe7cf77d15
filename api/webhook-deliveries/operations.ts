import { findDelivery, listDeliveries } from '../../db/webhook-deliveries.ts'
import { ApiError } from '../api-error.ts'
import { listView, pageOf } from '../list.ts'
import { operation } from '../operation.ts'
import {
  deliveryIdParameter,
  deliveryListSchema,
  deliverySchema,
  listDeliveriesQuery,
} from './schemas.ts'
import { deliveryView } from './view.ts'

const list = operation({
  id: 'listWebhookDeliveries',
  method: 'get',
  path: '/v1/webhook-deliveries',
  tag: 'Webhooks',
  summary: 'List webhook deliveries with their attempts, newest first',
  scope: 'webhooks:read',
  query: listDeliveriesQuery,
  status: 200,
  answer: deliveryListSchema,
  async handle({ deps, accountId, query }) {
    const filter = {
      accountId,
      status: query.status,
      endpointId: query.endpoint_id,
      eventId: query.event_id,
    }
    const page = await listDeliveries(deps.db.em.fork(), filter, pageOf(query))
    return listView(page, deliveryView, '/v1/webhook-deliveries')
  },
})

const get = operation({
  id: 'getWebhookDelivery',
  method: 'get',
  path: '/v1/webhook-deliveries/{id}',
  tag: 'Webhooks',
  summary: 'Get a webhook delivery with its attempts',
  scope: 'webhooks:read',
  params: { id: deliveryIdParameter },
  status: 200,
  answer: deliverySchema,
  async handle({ deps, accountId, params: { id } }) {
    const found = await findDelivery(deps.db.em.fork(), accountId, id)
    if (!found) throw new ApiError('webhook_delivery_not_found')
    return deliveryView(found)
  },
})

export const webhookDeliveryOperations = [list, get]
