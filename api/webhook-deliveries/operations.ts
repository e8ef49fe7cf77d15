import { retryDelivery } from '../../commands/webhooks/retry-delivery.ts'
import { findDelivery, listDeliveries } from '../../db/webhooks/webhook-deliveries.ts'
import { orNotFound } from '../../http/api-error.ts'
import { rowIdParameter, toPage } from '../../http/list.ts'
import { operation } from '../../http/operation.ts'
import { listView } from '../../views/list.ts'
import {
  deliveryListSchema,
  deliverySchema,
  deliveryView,
} from '../../views/webhooks/webhook-delivery.ts'
import { deliveryFilter, listDeliveriesQuery } from './schemas.ts'

const deliveryIdParameter = rowIdParameter('webhook_delivery_not_found')

const list = operation({
  id: 'listWebhookDeliveries',
  method: 'get',
  path: '/v1/webhook-deliveries',
  tag: 'Webhooks',
  summary: 'List webhook deliveries with their attempts, newest first',
  description:
    'A page has fewer items than `limit` if the responses of your receivers are long: `has_more` says whether others follow.',
  scope: 'webhooks:read',
  query: listDeliveriesQuery,
  status: 200,
  response: deliveryListSchema,
  async handle({ deps, accountId, query }) {
    const filter = deliveryFilter(accountId, query)
    const page = await listDeliveries(deps.db.em.fork(), filter, query, toPage(query))
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
  response: deliverySchema,
  async handle({ deps, accountId, params: { id } }) {
    const delivery = await findDelivery(deps.db.em.fork(), accountId, id)
    return deliveryView(orNotFound(delivery, 'webhook_delivery_not_found'))
  },
})

const retry = operation({
  id: 'retryWebhookDelivery',
  method: 'post',
  path: '/v1/webhook-deliveries/{id}/retry',
  tag: 'Webhooks',
  summary: 'Retry a webhook delivery now',
  description:
    'A delivery that waits for its next attempt gets one now, with the trigger `manual`, in addition to the five of the schedule; if it fails, the schedule continues. A delivery has at most 20 manual attempts. An ended delivery is sent again as a new delivery of the same event, unless one is pending already. The response is the delivery that is sent.',
  scope: 'webhooks:write',
  params: { id: deliveryIdParameter },
  status: 202,
  response: deliverySchema,
  audit: { action: 'webhook_delivery.retry', fields: [] },
  errors: ['webhook_endpoint_inactive', 'too_many_webhook_retries'],
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => {
      const sent = await retryDelivery(tx, accountId, id)
      const delivery = await findDelivery(tx, accountId, sent)
      return deliveryView(orNotFound(delivery, 'webhook_delivery_not_found'))
    })
  },
})

export const webhookDeliveryOperations = [list, get, retry]
