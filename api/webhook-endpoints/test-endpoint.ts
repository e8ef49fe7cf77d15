import { appendEventFor } from '../../commands/events.ts'
import { operation } from '../operation.ts'
import { requireDelivery } from '../webhook-deliveries/require-delivery.ts'
import { requireEndpoint } from './require-endpoint.ts'
import { endpointIdParameter } from './schemas.ts'
import { deliverySchema, deliveryView } from '../../views/webhook-delivery.ts'

const MESSAGE = 'A test of this webhook endpoint.'

/** POST /v1/webhook-endpoints/{id}/test (spec, "Webhook endpoints"). */
export const testEndpoint = operation({
  id: 'testWebhookEndpoint',
  method: 'post',
  path: '/v1/webhook-endpoints/{id}/test',
  tag: 'Webhooks',
  summary: 'Send webhook.test to a webhook endpoint',
  description:
    'Whatever it subscribes to, and also while it is off. The answer is the delivery: get it again to see how it went.',
  scope: 'webhooks:write',
  params: { id: endpointIdParameter },
  status: 202,
  answer: deliverySchema,
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => {
      await requireEndpoint(tx, accountId, id)
      const { deliveryId } = await appendEventFor(tx, id, {
        accountId,
        type: 'webhook.test',
        data: { object: 'test', message: MESSAGE },
      })
      return deliveryView(await requireDelivery(tx, accountId, deliveryId))
    })
  },
})
